/* Lies to a process about its disk and its clock, as a control file says; see shim.py.

   Only files below one folder are concerned, so that logs, pipes and libraries stay as they are. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
    int32_t error;   /* the errno with which calls fail, or 0 */
    int32_t calls;   /* which of them: 1 writes, 2 syncs, 4 reads */
    int32_t share;   /* of so many thousand */
    int32_t delay;   /* microseconds that writes and syncs take longer */
    int64_t ahead;   /* seconds by which the clock of the machine was set ahead */
};
enum { WRITES = 1, SYNCS = 2, READS = 4 };

static volatile struct control *control;
static const char *folder;
static size_t folder_length;

__attribute__((constructor)) static void prepare(void) {
    const char *path = getenv("FAULTS_CONTROL");
    folder = getenv("FAULTS_FOLDER");
    if (path == NULL || folder == NULL) return;
    folder_length = strlen(folder);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void *found = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) control = found;
    close(file);
}

static int is_below(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path);
    return length >= (ssize_t)folder_length && memcmp(path, folder, folder_length) == 0;
}

/* Whether a call is to fail; errno says how. It may take a while to find out. */
static int fails(int file, int call) {
    static __thread uint64_t state;
    if (control == NULL || (control->error == 0 && control->delay == 0)) return 0;
    int before = errno;
    int concerned = is_below(file);
    errno = before;
    if (!concerned) return 0;
    if (control->delay > 0 && call != READS) {
        struct timespec pause = {control->delay / 1000000, control->delay % 1000000 * 1000L};
        nanosleep(&pause, NULL);
        errno = before;
    }
    if (control->error == 0 || !(control->calls & call)) return 0;
    if (state == 0) state = (uint64_t)getpid() * 2654435761u + (uintptr_t)&state;
    state = state * 6364136223846793005u + 1442695040888963407u;
    if ((int32_t)((state >> 33) % 1000) >= control->share) return 0;
    errno = control->error;
    return 1;
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *from, size_t size) {
    REAL(write);
    return fails(file, WRITES) ? -1 : real(file, from, size);
}
ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    REAL(pwrite);
    return fails(file, WRITES) ? -1 : real(file, from, size, at);
}
ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) {
    REAL(pwrite64);
    return fails(file, WRITES) ? -1 : real(file, from, size, at);
}
ssize_t pwritev(int file, const struct iovec *from, int count, off_t at) {
    REAL(pwritev);
    return fails(file, WRITES) ? -1 : real(file, from, count, at);
}
ssize_t pread(int file, void *to, size_t size, off_t at) {
    REAL(pread);
    return fails(file, READS) ? -1 : real(file, to, size, at);
}
ssize_t pread64(int file, void *to, size_t size, off64_t at) {
    REAL(pread64);
    return fails(file, READS) ? -1 : real(file, to, size, at);
}
int ftruncate(int file, off_t size) {
    REAL(ftruncate);
    return fails(file, WRITES) ? -1 : real(file, size);
}
int ftruncate64(int file, off64_t size) {
    REAL(ftruncate64);
    return fails(file, WRITES) ? -1 : real(file, size);
}
int fsync(int file) {
    REAL(fsync);
    return fails(file, SYNCS) ? -1 : real(file);
}
int fdatasync(int file) {
    REAL(fdatasync);
    return fails(file, SYNCS) ? -1 : real(file);
}

int clock_gettime(clockid_t clock, struct timespec *to) {
    REAL(clock_gettime);
    int result = real(clock, to);
    int is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    if (result == 0 && control != NULL && is_wall) to->tv_sec += control->ahead;
    return result;
}
int gettimeofday(struct timeval *restrict to, void *restrict zone) {
    REAL(gettimeofday);
    int result = real(to, zone);
    if (result == 0 && control != NULL) to->tv_sec += control->ahead;
    return result;
}
time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to != NULL) *to = now.tv_sec;
    return now.tv_sec;
}

"""Shared set-up: how examples are drawn, and signals that tests rely on."""

import signal

from hypothesis import HealthCheck, settings

# Compilation makes first examples slow; that is no reason to fail, and no test asserts a time.
settings.register_profile(
    "skerry",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("skerry")

# Shells let background jobs ignore Ctrl-C, and what ignores it passes that on to the commands it
# starts. Tests that interrupt a command would then wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

"""Running a club: backups, the audit log, announcements, and mail."""

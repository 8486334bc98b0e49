"""The API described, for programs and for people."""

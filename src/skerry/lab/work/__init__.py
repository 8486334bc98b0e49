"""Work shared out: on the cores of this machine or on a Ray cluster."""

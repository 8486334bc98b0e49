"""The site as an app: its manifest and icons, and what is kept for times without a network."""

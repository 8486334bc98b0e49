"""What happens before a request is one: how much may be sent, how slowly, and by how many."""

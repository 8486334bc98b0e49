"""Players that learn from games with themselves: trees, nets and the loop that trains them."""

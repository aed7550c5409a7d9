"""Rule lists: Rules and FFT, and the model that both of them learn."""

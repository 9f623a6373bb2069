"""The collector as the centre of a fleet: who may ship, what was taken, by how many processes."""

"""What ./lab export writes: a stage of a chapter as one file that needs nothing else."""

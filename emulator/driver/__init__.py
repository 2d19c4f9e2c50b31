"""What `nvcc_cpu` does: nvcc's command line, for the emulator.

main            from the arguments to the exit status
options         the options, as data, and the texts of --help and --version
command_line    parses the arguments into a Command
files           which files are read and written; refuses to overwrite what somebody has written
steps           the commands that are run, in their order: compile (by the package launcher), link, archive, rules
compiler        finds the host's compiler, runs it and explains its messages
temporary       the driver's own folder
engine          the emulator's own library, which is compiled once
library_folder  what gcc and g++ link with in place of CUDA's libraries
messages        errors of one line; standard output and error that are full or closed
"""

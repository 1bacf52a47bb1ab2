#include "cli/cli.h"

int main(int argc, char** argv) { return kernelbench::cli::main(argc, argv); }

add_library(kb_warnings INTERFACE)
target_compile_options(kb_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual
                                             -Wno-missing-field-initializers)
option(KERNELBENCH_WERROR "treat warnings as errors" OFF)
if(KERNELBENCH_WERROR)
  target_compile_options(kb_warnings INTERFACE -Werror)
endif()

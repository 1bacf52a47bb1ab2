"""Prints, for CMake, what is needed to embed this interpreter together with its torch: key=value items, separated by ';'."""
import glob
import os
import sys
import sysconfig

try:
    import torch
except ImportError as error:
    sys.exit(f"{sys.executable} has no torch ({error}): pip install torch, or give another interpreter by PYTHON=")

torch_root = os.path.dirname(torch.__file__)
include = sysconfig.get_config_var("INCLUDEPY")
if not os.path.exists(os.path.join(include, "Python.h")):
    sys.exit(f"{include}/Python.h is missing: install the interpreter's development files (apt-get install python3-dev)")
pattern = f"libpython{sysconfig.get_config_var('LDVERSION')}"
places = [sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("LIBPL"), os.path.join(sys.base_prefix, "lib")]
libraries = [f for p in places if p for end in (".so", ".so.1.0", ".a") for f in glob.glob(os.path.join(p, pattern + end))]
if not libraries:
    sys.exit(f"{pattern}.so is missing in {places}: install the interpreter's shared library (apt-get install libpython3-dev)")
# The CUDA runtime that torch itself loads: a second copy in one process would not see torch's streams.
cudart = []
if torch.version.cuda:
    site = os.path.dirname(torch_root)
    cudart = glob.glob(os.path.join(site, "nvidia", "*", "lib", "libcudart.so.*")) + glob.glob(
        os.path.join(torch_root, "lib", "libcudart*.so*")) + glob.glob("/usr/local/cuda/lib64/libcudart.so")
    if not cudart:
        sys.exit("torch was built for CUDA, but no libcudart is beside it nor in /usr/local/cuda/lib64")
with open("/proc/self/maps") as maps:
    libstdcxx = [line.split()[-1] for line in maps if "libstdc++.so" in line]
cuda_home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
print(";".join(f"{key}={value}" for key, value in {
    "python": sys.version.split()[0],
    "python_include": include,
    "libpython": libraries[0],
    "libpython_dir": os.path.dirname(libraries[0]),
    "torch": torch.__version__,
    "torch_include": os.path.join(torch_root, "include"),
    "torch_lib": os.path.join(torch_root, "lib"),
    "libstdcxx": libstdcxx[0],
    "cxx11_abi": int(torch._C._GLIBCXX_USE_CXX11_ABI),
    "cuda": torch.version.cuda or "",
    "cuda_include": os.path.join(cuda_home, "include") if torch.version.cuda else "",
    "cudart": cudart[0] if cudart else "",
    "cudart_dir": os.path.dirname(cudart[0]) if cudart else "",
}.items()))

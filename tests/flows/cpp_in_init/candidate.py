import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = r"""
#include <torch/extension.h>
#include <cmath>
#include <vector>

// x is (batch, features, rest); every position of `rest` is divided by the root mean square over the features.
torch::Tensor rms_norm(torch::Tensor x, double eps) {
    auto in = x.contiguous();
    auto out = torch::empty_like(in);
    const int64_t batch = in.size(0), features = in.size(1), rest = in.numel() / (batch * features);
    std::vector<float> scale(rest);
    for (int64_t b = 0; b < batch; ++b) {
        const float* from = in.data_ptr<float>() + b * features * rest;
        float* to = out.data_ptr<float>() + b * features * rest;
        std::fill(scale.begin(), scale.end(), 0.0f);
        for (int64_t f = 0; f < features; ++f)
            for (int64_t i = 0; i < rest; ++i) scale[i] += from[f * rest + i] * from[f * rest + i];
        for (int64_t i = 0; i < rest; ++i)
            scale[i] = 1.0f / std::sqrt(scale[i] / static_cast<float>(features) + static_cast<float>(eps));
        for (int64_t f = 0; f < features; ++f)
            for (int64_t i = 0; i < rest; ++i) to[f * rest + i] = from[f * rest + i] * scale[i];
    }
    return out;
}
"""


class ModelNew(nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.extension = load_inline(
            name="flow_rms_norm_in_init",
            cpp_sources=[CPP_SOURCE],
            functions=["rms_norm"],
            extra_cflags=["-O3"],
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.extension.rms_norm(x, self.eps)

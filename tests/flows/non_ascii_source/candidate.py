# Сигмоида: σ(x) = 1 / (1 + e⁻ˣ). 使用一个临时张量。 ⚡ naïve café
import torch
import torch.nn as nn

π = 3.141592653589793
ÉTIQUETTE = "σ — prêt 🚀"


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # 1 / (1 + exp(-x)), three steps in place on one temporary (一時テンソル)
        σ = torch.neg(x).exp_().add_(1.0).reciprocal_()
        return σ

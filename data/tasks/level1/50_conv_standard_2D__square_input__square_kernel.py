"""First convolution of AlexNet: 3 to 96 channels, kernel 11, stride 4, padding 2, on 224 x 224 images."""

import torch
import torch.nn as nn

batch_size = 16
num_classes = 1000


class Model(nn.Module):
    def __init__(self, num_classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels=3, out_channels=96, kernel_size=11, stride=4, padding=2)

    def forward(self, x):
        return self.conv1(x)


def get_inputs():
    return [torch.randn(batch_size, 3, 224, 224)]


def get_init_inputs():
    return [num_classes]

"""The verdict on a device: `pack` makes a folder, and `runner` does the `steps` there, each within its own time.

`main` reads what is asked for. `loads` asks the driver itself what it makes of the kernels, and `weights` makes a model
there, of random weights. All need the standard library alone, but for `weights`, which needs PyTorch.
"""

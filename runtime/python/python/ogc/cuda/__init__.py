"""NVIDIA devices: masks of logits there, and sequences in slots that are stepped, masked and sampled without the host.

Tensors are passed by address: nothing is copied through the host. Calls that take ``stream`` launch kernels on it and return at once, so that graphs
can capture them; ``None`` is the current stream of torch, or the default stream if torch has not been used. A tensor is a tensor of torch on the
device, or any object with ``__cuda_array_interface__``.

The driver is looked for when a device is opened, and no toolkit is needed:

>>> import ogc.cuda
>>> try:
...     device = ogc.cuda.Device(0)
... except ogc.cuda.DeviceError as error:
...     reason = str(error)  # "no CUDA driver was found: ..." where there is none

A step of decoding, with logits of a model in ``logits`` [64, vocabulary]::

    person = ogc.Format.of(Person).with_masks(vocabulary)
    slots = ogc.cuda.Slots(device, vocabulary, slots=64)
    number = slots.add_format(person)
    slots.begin(torch.full((64,), number, dtype=torch.int32, device="cuda"))
    slots.set_rows([ogc.cuda.Row(slot=at, temperature=0.7, request=at) for at in range(64)])
    tokens = torch.as_tensor(slots.next_tokens, device="cuda")  # the memory itself, int32 [64]
    slots.step(logits)  # masks, chooses, moves the slots and finds their next masks, in one launch
"""

from .._errors import DeviceError
from ._device import Device
from ._memory import DeviceArray
from ._outcomes import DraftEnd, Outcome, SampleOutcome, host_reason
from ._rows import Row
from ._slots import Slots

__all__ = [
    "Device",
    "DeviceArray",
    "DeviceError",
    "DraftEnd",
    "Outcome",
    "Row",
    "SampleOutcome",
    "Slots",
    "host_reason",
]

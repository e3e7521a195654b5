"""Several processes train one model: each computes the gradients of its share of a batch, and all add them up.

The mean over a batch of n targets is the sum over processes of n_r/n times the mean over the n_r targets of process r.
So the gradients of the shares, weighted with n_r/n and added, are those of the whole batch, wherever its padding lies, and
all processes take the same step (Li et al. 2020 describe PyTorch's own version, which adds while it still computes).

    torchrun --nproc-per-node 2 my_training.py      lmkit.training.train does the rest
"""

import atexit
from collections.abc import Callable

import torch
import torch.distributed as dist
from torch import nn

from lmkit.batches import IGNORE, Batch
from lmkit.checks import check_instance, check_integer

Gradients = Callable[[nn.Module, Batch], float]  # puts a batch's gradients into the parameters; its mean loss


def join_processes(model: nn.Module, steps: int = 0) -> tuple[int, int]:
    """(rank, number of processes), once all that ``torchrun`` started have come here and have rank 0's weights.

    Args:
        model: of which each process has a copy.
        steps: how many this process has trained.

    Raises:
        ValueError: also, in every process, if they have trained different numbers of steps.
    """
    check_instance(model, "model", nn.Module)
    steps = check_integer(steps, "steps", low=0)
    if dist.is_available() and dist.is_torchelastic_launched() and not dist.is_initialized():
        # Where there is a GPU, too, a model may be on the CPU.
        dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
        # Not at the end of a training: a second one would have to find the others anew, and can miss them.
        atexit.register(dist.destroy_process_group)
    if not (dist.is_available() and dist.is_initialized()):
        return 0, 1
    states = list(model.state_dict().values())
    for tensor in states:
        whole = tensor.contiguous()  # of a view what lies in memory is sent
        dist.broadcast(whole, src=0)
        tensor.copy_(whole)
    # Here all wait for all: who only sends does not wait for those who receive. On the model's own GPU, not on the first one.
    ends = torch.tensor([steps, -steps], device=states[0].device if states else None)
    dist.all_reduce(ends, dist.ReduceOp.MAX)
    if ends.sum():
        raise ValueError(f"all processes must go on from one step, got step {-ends[1]} in one and {ends[0]} in another")
    return dist.get_rank(), dist.get_world_size()


def shared(gradients: Gradients, rank: int, world: int) -> Gradients:
    """``gradients`` with the work divided between the processes: same arguments, same result."""
    check_instance(gradients, "gradients", Callable)
    check_integer(rank, "rank", low=0, high=check_integer(world, "world", low=2) - 1)

    def compute(model: nn.Module, batch: Batch) -> float:
        share = tuple(x.tensor_split(world)[rank] for x in batch)  # so many of the rows
        mine, all_targets = (int((x != IGNORE).sum()) for x in (share[-1], batch[-1]))
        model.zero_grad(set_to_none=True)
        loss = gradients(model, share) if mine else 0.0  # there may be more processes than rows
        parameters = [p for p in model.parameters() if p.requires_grad]
        # One long vector: every gradient, whether it is there at all, and the loss.
        parts = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        numbers = parts[0].new_tensor([*(p.grad is not None for p in parameters), loss * mine / all_targets])
        total = torch.cat([*(part.flatten() * (mine / all_targets) for part in parts), numbers])
        dist.all_reduce(total)
        *parts, numbers = total.split([*(p.numel() for p in parameters), len(numbers)])
        *used, loss = numbers.tolist()
        for p, part, count in zip(parameters, parts, used, strict=True):
            p.grad = part.view_as(p).to(p.dtype) if count else None
        return loss

    return compute

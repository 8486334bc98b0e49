"""A real Ray cluster whose nodes are all on this machine."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import ray
from ray.cluster_utils import Cluster as Nodes

__all__ = ["NODE", "Nodes", "add_node", "kill", "start_nodes"]

NODE = {"num_cpus": 1, "object_store_memory": 80 * 2**20}


@contextmanager
def start_nodes(cores: int = 1) -> Iterator[Nodes]:
    """A cluster with one node."""
    with pytest.MonkeyPatch.context() as patch:
        # Its processes are to find what the tests find.
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
        head = {**NODE, "num_cpus": cores, "include_dashboard": False}
        nodes = Nodes(initialize_head=True, head_node_args=head)
        yield nodes
        ray.shutdown()
        nodes.shutdown()


@contextmanager
def add_node(nodes: Nodes) -> Iterator[object]:
    """Another node, which may be killed."""
    node = nodes.add_node(**NODE)
    yield node
    if node in nodes.worker_nodes:
        nodes.remove_node(node)


def kill(nodes: Nodes, node: object) -> None:
    nodes.remove_node(node, allow_graceful=False)

"""The main job on real data: late flights predicted, then the promise proven on this machine (`samebits demo`)."""

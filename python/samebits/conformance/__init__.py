"""Conformance bundles: inputs and expected bytes of the numeric contract, for this library and for any other.

``export_bundle`` writes one, ``validate_bundle`` recomputes it on a device of this machine, ``grade_results`` compares
what another implementation computed, ``self_test`` proves that the validator notices changes. The command line has
them as ``samebits conformance``; FORMAT.md inside every bundle describes it, ALGORITHMS.md what is to be computed.
"""

from samebits.conformance.check import Report, export_bundle, grade_results, validate_bundle
from samebits.conformance.probes import self_test

__all__ = ["Report", "export_bundle", "grade_results", "self_test", "validate_bundle"]

"""Checking the promise on this machine: pinned estimators, settings and data, against documents of hashes."""

from samebits.verify.one_ulp import self_test
from samebits.verify.run import check_fixtures, verify
from samebits.verify.two_devices import cross_check

__all__ = ["check_fixtures", "cross_check", "self_test", "verify"]

from satsuma.learners.clusters.rp0 import RP0 as Anomaly

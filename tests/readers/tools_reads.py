# tests/readers/tools_reads.py — h5dump and ncdump read every header; no enum, no fixed text by a scale.
import shutil
import subprocess
import sys

from made import result_file

if not (shutil.which("h5dump") and shutil.which("ncdump")):
    print("skipped: no h5dump or ncdump")
    sys.exit(77)
path = result_file()
headers = subprocess.run(["h5dump", "-H", str(path)], check=True, capture_output=True, text=True).stdout
assert "H5T_ENUM" not in headers
assert 'GROUP "jobs"' in headers and 'DATASET "gpus_busy"' in headers
# libnetcdf reads the whole tree, compound tables included.
netcdf = subprocess.run(["ncdump", "-h", str(path)], check=True, capture_output=True, text=True).stdout
assert 'flag_meanings = "PENDING RUNNING' in netcdf, netcdf[:500]
assert "group: jobs {" in netcdf
values = subprocess.run(["ncdump", "-v", "/jobs/submit", str(path)], check=True, capture_output=True,
                        text=True).stdout
assert "submit = 1800000060, 1800000120" in values

# tests/readers/xarray_reads.py — groups open as datasets with times decoded, by each engine there is.
import importlib.util

from made import START, need, result_file

xr, np, _ = need("xarray", "numpy", "netCDF4")

path = result_file()
engines = ["netcdf4"] + (["h5netcdf"] if importlib.util.find_spec("h5netcdf") else [])
for engine in engines:
    jobs = xr.open_dataset(path, group="jobs", engine=engine)
    assert jobs.sizes["row"] == 6, jobs.sizes
    assert jobs["submit"].values[0] == np.datetime64(START + 60, "s")
    assert np.isnat(jobs["start"].values[2])
    series = xr.open_dataset(path, group="series", engine=engine)
    assert series["time"].dtype.kind == "M" and "gpus_busy" in series
    assert abs(float(series["gpus_busy"].mean()) - 38400 / 7200) < 1e-9
    names = xr.open_dataset(path, group="names", engine=engine)
    assert "ann" in [str(name) for name in names["user"].values]
    for group in ("waits", "holdings", "events", "rejections", "fair_share", "inputs"):
        xr.open_dataset(path, group=group, engine=engine).load()

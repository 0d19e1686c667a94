# tests/readers/pandas_reads.py — KPI tables by read_hdf; /jobs as a frame in one line.
from made import START, need, result_file

pd, h5py, _ = need("pandas", "h5py", "tables")

path = result_file()
summary = pd.read_hdf(path, "kpi/summary")
assert {"name", "value", "units", "long_name", "formula", "denominator"} <= set(summary.columns)


def text(column):
    return [value.decode() if isinstance(value, bytes) else value for value in column]


summary["name"] = text(summary["name"])
value = summary.set_index("name")["value"]
assert abs(value["gpu_utilization_existing"] - 38400 / 115200) < 1e-12
groups = pd.read_hdf(path, "kpi/groups")
assert len(groups) > 50 and "ml" in text(groups["group"])
assert list(text(pd.read_hdf(path, "nodes")["name"])) == ["c01", "g01", "g02"]
for table in ("partitions", "qos", "accounts", "kpi/definitions", "kpi/loops"):
    assert len(pd.read_hdf(path, table)) > 0, table

with h5py.File(path) as f:
    jobs = pd.DataFrame({name: column[:] for name, column in f["jobs"].items()})
    waits = pd.DataFrame({name: column[:] for name, column in f["waits"].items()})
jobs["start"] = pd.to_datetime(jobs["start"].to_numpy().astype("datetime64[s]"))
assert jobs["start"].isna().tolist() == [False, False, True, False, False, True]
assert jobs["start"][0] == pd.Timestamp(START + 60, unit="s")
assert (waits["end"] > waits["begin"]).all()

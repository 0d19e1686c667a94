# tests/readers/h5py_reads.py — h5py finds columns, meanings, names and the birth certificate.
import time

from made import START, need, result_file

h5py, np = need("h5py", "numpy")

path = result_file()
with h5py.File(path, "r") as f:
    assert f.attrs["tool"] == "rehearse" and f.attrs["status"] == "complete"
    assert f.attrs["seed_run"] == 7 and f.attrs["schedule_fingerprint"] == "0000000000005678"
    assert len(f.attrs["slurm.conf"].encode()) >= 200_000 and "größe" in f.attrs["slurm.conf"]
    assert len(f.attrs["sha256_slurm.conf"]) == 64
    jobs = f["jobs"]
    assert list(jobs["job_id"][:]) == [1, 2, 3, 2, 5, 4]
    assert jobs["submit"].dtype == np.int64
    assert jobs["submit"].attrs["units"] == "seconds since 1970-01-01 00:00:00"
    assert jobs["submit"][0] == START + 60
    # The value for "none" is numpy's NaT.
    assert np.isnat(jobs["start"][2].astype("datetime64[s]"))
    assert jobs["start"].attrs["_FillValue"] == jobs["start"][2]
    assert list(jobs["wait"][:2]) == [0, 180] and list(jobs["wait_eligible"][3:4]) == [2800 - 1022]
    assert list(jobs["gpus"][:]) == [8, 8, 0, 8, 0, 0] == list(jobs["held_gres_gpu"][:])
    words = jobs["state"].attrs["flag_meanings"].split()
    assert [words[code] for code in jobs["state"][:]] == [
        "TIMEOUT", "PREEMPTED", "CANCELLED", "COMPLETED", "COMPLETED", "PENDING"]
    assert jobs["state"].dtype == np.uint8 and jobs["state"].attrs["flag_values"].dtype == np.uint8
    names = f[jobs["user"].attrs["names"]][:]
    assert [names[code].decode() for code in jobs["user"][:]] == ["ann", "bob", "bob", "bob", "ann", "ann"]

    parts, former = f["priority_parts"], f["former_shares"]
    assert jobs["job_id"][parts["job"][0]] == 2 and list(parts["priority_job_size"][:]) == [31]
    assert parts["end"][0] - parts["begin"][0] == 120
    assert f[parts["partition"].attrs["names"]][parts["partition"][0]] == b"gpu"
    assert f["accounts"][former["association"][0]]["account"] == b"ml" and list(former["shares"][:]) == [2]

    def check(name, item):
        if isinstance(item, h5py.Dataset):
            if item.dtype.names is None:
                assert item.attrs["long_name"], name
                assert "units" in item.attrs, name
                assert item.chunks and max(item.chunks) <= 65536, name
                assert item.compression == "gzip" and item.compression_opts == 1 and item.shuffle, name
                assert h5py.h5ds.get_num_scales(item.id, 0) == 1 or h5py.h5ds.is_scale(item.id), name
                assert h5py.check_enum_dtype(item.dtype) is None, name
            assert h5py.h5g.get_objinfo(item.id).mtime == 0, name

    f.visititems(check)
    lengths = {name: len(column) for name, column in jobs.items()}
    assert set(lengths.values()) == {6}, lengths
time.sleep(1.1)  # a date in the file would differ now
again = result_file()
assert path.read_bytes() == again.read_bytes(), "the same result gave other bytes"

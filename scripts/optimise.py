#!/usr/bin/env python3
# scripts/optimise.py — an outside optimiser for `rehearse sweep`: Optuna where it is installed, else chance.
"""usage: optimise.py [--sampler tpe|random] [--questions N] [--at-once N] [--seed N] rehearse sweep STUDY.yaml -o REGISTRY

STUDY.yaml says `design: outside`. The sweep tells what may be asked; then a line is a question, a line an answer
(sim/study/outside.hpp). The first objective is optimised. What was asked before is answered from the registry, so an
optimiser of the same seed that is started again gets to where it was without a simulation.

Debian: apt-get install python3-optuna
"""
import argparse
import json
import math
import random
import subprocess
import sys


def draw(parameter, unit):
    """The parameter's value at `unit` of [0, 1)."""
    if "values" in parameter:
        return parameter["values"][int(unit * len(parameter["values"]))]
    least, most = parameter["least"], parameter["most"]
    if parameter["whole"]:
        most += 1
    value = least * (most / least) ** unit if parameter["scale"] == "log" else least + unit * (most - least)
    return math.floor(value) if parameter["whole"] else value


class Chance:
    """Random search: the yardstick of every other."""

    def __init__(self, parameters, _, seed):
        self.parameters, self.random = parameters, random.Random(seed)

    def ask(self):
        return None, {each["name"]: draw(each, self.random.random()) for each in self.parameters}

    def tell(self, trial, value):
        """Chance learns nothing."""


class Optuna:
    def __init__(self, parameters, goal, seed):
        import optuna  # pylint: disable=import-outside-toplevel

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.failed = optuna.trial.TrialState.FAIL
        self.parameters = parameters
        self.study = optuna.create_study(direction="maximize" if goal == "most" else "minimize",
                                         sampler=optuna.samplers.TPESampler(seed=seed))

    def suggest(self, trial, each):
        if "values" in each:
            return trial.suggest_categorical(each["name"], each["values"])
        log = each["scale"] == "log"
        if each["whole"]:
            return trial.suggest_int(each["name"], int(each["least"]), int(each["most"]), log=log)
        return trial.suggest_float(each["name"], each["least"], each["most"], log=log)

    def ask(self):
        trial = self.study.ask()
        return trial, {each["name"]: self.suggest(trial, each) for each in self.parameters}

    def tell(self, trial, value):
        if value is None:
            self.study.tell(trial, state=self.failed)
        else:
            self.study.tell(trial, value)


def optimise(sweep, options):
    """Asks `questions` times, `at_once` at a time. (value, parameters) of the best, or none."""
    offer = json.loads(sweep.stdout.readline() or sys.exit("optimise.py: the sweep has not begun"))
    objective = offer["objectives"][0]
    sampler = {"tpe": Optuna, "random": Chance}[options.sampler](offer["parameters"], objective["goal"], options.seed)
    sign = -1 if objective["goal"] == "most" else 1
    asked, open_questions, best = 0, {}, None
    while asked < options.questions or open_questions:
        while asked < options.questions and len(open_questions) < options.at_once:
            trial, parameters = sampler.ask()
            open_questions[asked] = trial, parameters
            sweep.stdin.write(json.dumps({"ask": asked, "parameters": parameters}) + "\n")
            asked += 1
        sweep.stdin.flush()
        answer = json.loads(sweep.stdout.readline() or sys.exit("optimise.py: the sweep has ended"))
        trial, parameters = open_questions.pop(answer["tell"])
        value = answer.get("objectives", {}).get(objective["name"])
        if value is None:
            print(f"failed: {parameters}: {answer.get('error')}", file=sys.stderr)
        sampler.tell(trial, value)
        if value is not None and (best is None or sign * value < sign * best[0]):
            best = value, parameters
            print(f"{asked - len(open_questions):5} {objective['name']} {value:.6g}  {parameters}", file=sys.stderr)
    return objective["name"], best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sampler", choices=("tpe", "random"), default="tpe")
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="rehearse sweep STUDY.yaml -o REGISTRY")
    options = parser.parse_args()
    with subprocess.Popen(options.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as sweep:
        name, best = optimise(sweep, options)
        sweep.stdin.close()
        code = sweep.wait()
    if best:
        print(f"best: {name} {best[0]:.6g}  {json.dumps(best[1])}")
    return code


if __name__ == "__main__":
    sys.exit(main())

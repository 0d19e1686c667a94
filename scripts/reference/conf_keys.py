# scripts/reference/conf_keys.py — what becomes of each slurm.conf key when one machine plays the cluster.
"""Three kinds of keys are not handed on as they are:

REPLACED  ports, paths, daemons' users, authentication, launching: the recorder sets its own, or none.
REFUSED   what would change the schedule and cannot be played here; each with the reason.
Everything else is handed to slurmctld as it stands.
"""
# Of the controller, the node daemons, the accounting daemon, and what they start.
REPLACED = frozenset(
    """
    slurmctldhost controlmachine controladdr backupcontroller backupaddr slurmctldaddr slurmctldport
    slurmdport slurmuser slurmduser authtype authinfo authalttypes authaltparameters credtype cryptotype
    jobcredentialprivatekey jobcredentialpubliccertificate statesavelocation slurmdspooldir
    slurmctldpidfile slurmdpidfile slurmctldlogfile slurmdlogfile slurmschedlogfile slurmctlddebug slurmddebug
    slurmctldsyslogdebug slurmdsyslogdebug slurmschedloglevel debugflags logtimeformat
    proctracktype taskplugin taskpluginparam jobacctgathertype jobacctgatherfrequency jobacctgatherparams
    acctgatherenergytype acctgatherfilesystemtype acctgatherinfinibandtype acctgatherinterconnecttype
    acctgatherprofiletype acctgathernodefreq extsensorstype extsensorsfreq
    mpidefault mpiparams switchtype switchparameters returntoservice slurmdparameters
    slurmdtimeout slurmctldtimeout messagetimeout batchstarttimeout slurmctldparameters communicationparameters
    accountingstoragetype accountingstoragehost accountingstoragebackuphost accountingstorageport
    accountingstorageuser accountingstoragepass accountingstorageloc accountingstorageexternalhost
    accountingstorageparameters
    jobcomptype jobcomphost jobcomploc jobcomppass jobcompport jobcompuser jobcompparams jobcontainertype
    prolog epilog prologslurmctld epilogslurmctld prologflags prologepilogtimeout srunprolog srunepilog
    taskprolog taskepilog resvprolog resvepilog
    healthcheckprogram healthcheckinterval healthchecknodestate mailprog maildomain
    plugstackconfig plugindir launchparameters launchtype x11parameters rebootprogram
    unkillablestepprogram unkillablesteptimeout corespecplugin nodefeaturesplugins tmpfs
    srunportrange tcptimeout usepam propagateresourcelimits propagateresourcelimitsexcept
    clifilterplugins slurmctldprimaryonprog slurmctldprimaryoffprog
    sbcastparameters federationparameters preptype prepplugins prepparameters
    hashplugin gresplugin routeplugin topologyparam
    """.split()
)

# Of a node line: where the node is.
REPLACED_ON_NODE = frozenset("nodeaddr nodehostname port bcastaddr reason".split())

REFUSED = {
    "jobsubmitplugins": "a submit plugin rewrites jobs, and its script is not in the site",
    "suspendprogram": "nodes cannot be powered down",
    "resumeprogram": "nodes cannot be powered up",
    "burstbuffertype": "there is no burst buffer",
    "frontendname": "front-end nodes are not emulated",
    "prioritysitefactorplugin": "a site factor plugin is not in the site",
}

# (key, value's beginning, why): where only one value of a key cannot be played.
REFUSED_VALUES = (
    ("selecttype", "select/cray", "there is no Cray"),
    ("topologyplugin", "topology/3d_torus", "its coordinates are not in the site"),
    ("topologyplugin", "topology/hypercube", "its coordinates are not in the site"),
)

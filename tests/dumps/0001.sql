BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE dimensions (
	gold_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	labels TEXT NOT NULL, 
	counts TEXT NOT NULL, 
	CONSTRAINT pk_dimensions PRIMARY KEY (gold_id, position), 
	CONSTRAINT fk_dimensions_gold_id_golds FOREIGN KEY(gold_id) REFERENCES golds (id)
);
INSERT INTO "dimensions" VALUES(1,0,'kind','["hard","easy"]','[40,40]');
CREATE TABLE golds (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	task_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	salt BLOB NOT NULL, 
	commitment TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	registered DATETIME NOT NULL, 
	n INTEGER NOT NULL, 
	scored INTEGER NOT NULL, 
	CONSTRAINT fk_golds_task_id_tasks FOREIGN KEY(task_id) REFERENCES tasks (id), 
	CONSTRAINT uq_golds_task_id_version UNIQUE (task_id, version)
);
INSERT INTO "golds" VALUES(1,1,1,X'73616C7473616C7473616C7473616C7473616C7473616C7473616C7473616C74','234abef4740760a3a1a1b0e3a4192f79efbf347ac9403cef2c411464b69cea15','first registered','2026-11-01 12:00:00.000000',80,80);
CREATE TABLE gradings (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	run_id INTEGER NOT NULL, 
	gold_id INTEGER NOT NULL, 
	n INTEGER NOT NULL, 
	"of" INTEGER NOT NULL, 
	"right" INTEGER NOT NULL, 
	abstained INTEGER NOT NULL, 
	reliability TEXT NOT NULL, 
	notices TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT fk_gradings_gold_id_golds FOREIGN KEY(gold_id) REFERENCES golds (id), 
	CONSTRAINT fk_gradings_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_gradings_run_id_gold_id UNIQUE (run_id, gold_id)
);
INSERT INTO "gradings" VALUES(1,1,1,80,80,49,0,'[[1,0.09999999999999998,1.0],[10,0.15500000000000003,0.3],[9,0.2588888888888888,0.6666666666666666],[9,0.35555555555555557,0.5555555555555556],[9,0.45222222222222225,0.6666666666666666],[9,0.5499999999999999,0.6666666666666666],[9,0.6599999999999999,0.6666666666666666],[8,0.76,0.75],[8,0.8525000000000003,0.625],[8,0.9449999999999998,0.625]]','[]','answers:exact|scale:probability|missing:reject|precision:full|cluster:passage|reading:fb614b46fc2a|gold:v1:234abef4740760a3a1a1b0e3a4192f79efbf347ac9403cef2c411464b69cea15|run:sha256:2f5246bee83f0c78a096aa45852b0c4b2fb5fd598862c9d243e7116c574f1c67|resamples:50|seed:1|grader:0.1.0|numpy:2.4.6','2026-11-01 13:00:00.000000');
INSERT INTO "gradings" VALUES(2,2,1,80,80,49,0,'[[2,0.09999999999999998,0.5],[9,0.15555555555555559,0.4444444444444444],[9,0.2644444444444445,0.5555555555555556],[9,0.3622222222222221,0.5555555555555556],[8,0.4574999999999999,0.875],[9,0.5555555555555554,0.5555555555555556],[10,0.6599999999999999,0.6],[8,0.7675000000000001,0.75],[9,0.8599999999999999,0.5555555555555556],[7,0.9457142857142857,0.7142857142857143]]','[]','answers:exact|scale:probability|missing:reject|precision:full|cluster:passage|reading:fb614b46fc2a|gold:v1:234abef4740760a3a1a1b0e3a4192f79efbf347ac9403cef2c411464b69cea15|run:sha256:032caf543fbd690f57e1d05546701c8a7e659ac858fa0c91f3846fe6318649f4|resamples:50|seed:1|grader:0.1.0|numpy:2.4.6','2026-11-01 14:00:00.000000');
INSERT INTO "gradings" VALUES(3,3,1,80,80,49,0,'[[3,0.10000000000000002,0.3333333333333333],[8,0.1562500000000001,0.625],[8,0.2537499999999999,0.5],[11,0.3563636363636364,0.5454545454545454],[8,0.45999999999999996,0.625],[8,0.5462500000000001,0.625],[10,0.655,0.7],[8,0.7637500000000004,0.75],[8,0.8500000000000001,0.625],[8,0.93625,0.625]]','[]','answers:exact|scale:probability|missing:reject|precision:full|cluster:passage|reading:fb614b46fc2a|gold:v1:234abef4740760a3a1a1b0e3a4192f79efbf347ac9403cef2c411464b69cea15|run:sha256:f9b97e5786438803cf2e1ebc6165c85a2cbe5fee6ed382b0fd0cde5ccdfbe2e5|resamples:50|seed:1|grader:0.1.0|numpy:2.4.6','2026-11-01 15:00:00.000000');
CREATE TABLE instances (
	gold_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	ident TEXT NOT NULL, 
	answers TEXT NOT NULL, 
	cluster TEXT, 
	split TEXT, 
	subsets TEXT NOT NULL, 
	status TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	who TEXT NOT NULL, 
	decided DATETIME, 
	post_hoc BOOLEAN NOT NULL, 
	CONSTRAINT pk_instances PRIMARY KEY (gold_id, position), 
	CONSTRAINT ck_instances_status CHECK (status IN ('scored', 'dropped', 'unjudged')), 
	CONSTRAINT fk_instances_gold_id_golds FOREIGN KEY(gold_id) REFERENCES golds (id), 
	CONSTRAINT uq_instances_gold_id_ident UNIQUE (gold_id, ident)
);
INSERT INTO "instances" VALUES(1,0,'q0','["no"]','p0',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,1,'q1','["yes"]','p0',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,2,'q2','["yes"]','p0',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,3,'q3','["no"]','p0',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,4,'q4','["yes"]','p1',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,5,'q5','["yes"]','p1',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,6,'q6','["no"]','p1',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,7,'q7','["yes"]','p1',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,8,'q8','["yes"]','p2',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,9,'q9','["no"]','p2',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,10,'q10','["yes"]','p2',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,11,'q11','["yes"]','p2',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,12,'q12','["no"]','p3',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,13,'q13','["yes"]','p3',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,14,'q14','["yes"]','p3',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,15,'q15','["no"]','p3',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,16,'q16','["yes"]','p4',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,17,'q17','["yes"]','p4',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,18,'q18','["no"]','p4',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,19,'q19','["yes"]','p4',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,20,'q20','["yes"]','p5',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,21,'q21','["no"]','p5',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,22,'q22','["yes"]','p5',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,23,'q23','["yes"]','p5',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,24,'q24','["no"]','p6',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,25,'q25','["yes"]','p6',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,26,'q26','["yes"]','p6',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,27,'q27','["no"]','p6',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,28,'q28','["yes"]','p7',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,29,'q29','["yes"]','p7',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,30,'q30','["no"]','p7',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,31,'q31','["yes"]','p7',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,32,'q32','["yes"]','p8',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,33,'q33','["no"]','p8',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,34,'q34','["yes"]','p8',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,35,'q35','["yes"]','p8',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,36,'q36','["no"]','p9',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,37,'q37','["yes"]','p9',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,38,'q38','["yes"]','p9',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,39,'q39','["no"]','p9',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,40,'q40','["yes"]','p10',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,41,'q41','["yes"]','p10',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,42,'q42','["no"]','p10',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,43,'q43','["yes"]','p10',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,44,'q44','["yes"]','p11',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,45,'q45','["no"]','p11',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,46,'q46','["yes"]','p11',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,47,'q47','["yes"]','p11',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,48,'q48','["no"]','p12',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,49,'q49','["yes"]','p12',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,50,'q50','["yes"]','p12',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,51,'q51','["no"]','p12',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,52,'q52','["yes"]','p13',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,53,'q53','["yes"]','p13',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,54,'q54','["no"]','p13',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,55,'q55','["yes"]','p13',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,56,'q56','["yes"]','p14',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,57,'q57','["no"]','p14',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,58,'q58','["yes"]','p14',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,59,'q59','["yes"]','p14',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,60,'q60','["no"]','p15',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,61,'q61','["yes"]','p15',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,62,'q62','["yes"]','p15',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,63,'q63','["no"]','p15',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,64,'q64','["yes"]','p16',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,65,'q65','["yes"]','p16',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,66,'q66','["no"]','p16',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,67,'q67','["yes"]','p16',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,68,'q68','["yes"]','p17',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,69,'q69','["no"]','p17',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,70,'q70','["yes"]','p17',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,71,'q71','["yes"]','p17',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,72,'q72','["no"]','p18',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,73,'q73','["yes"]','p18',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,74,'q74','["yes"]','p18',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,75,'q75','["no"]','p18',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,76,'q76','["yes"]','p19',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,77,'q77','["yes"]','p19',NULL,'{"kind":"easy"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,78,'q78','["no"]','p19',NULL,'{"kind":"hard"}','scored','','',NULL,0);
INSERT INTO "instances" VALUES(1,79,'q79','["yes"]','p19',NULL,'{"kind":"easy"}','scored','','',NULL,0);
CREATE TABLE log (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	task_id INTEGER NOT NULL, 
	what TEXT NOT NULL, 
	why TEXT NOT NULL, 
	who TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT fk_log_task_id_tasks FOREIGN KEY(task_id) REFERENCES tasks (id)
);
CREATE TABLE payloads (
	sha256 TEXT NOT NULL, 
	size BIGINT NOT NULL, 
	body BLOB NOT NULL, 
	CONSTRAINT pk_payloads PRIMARY KEY (sha256)
);
INSERT INTO "payloads" VALUES('2f5246bee83f0c78a096aa45852b0c4b2fb5fd598862c9d243e7116c574f1c67',1039,X'789C35D33B6EC3301045D19E6B110271BEE472825801DCC8605C04D97D1E8179DDB8997335969E8FE3F37EFF5E3FC7D7EBFE7E3EAEFBEB6AEB3CEED7717EF4B3AD7EFC5D6FCCA26D49CD1A6D69CD36DBB29A43DAF29AD3DB8A9AC7682B6B656F6B70A5B535B932419DF5C3B74B380077CA09B9931EA0BBD55ED09DB6C0EEC415784F6E06DFE907FCCE804480306022407A6DDE0F4E5FE00B7D852F7C764780302010200C48040803260264D466F8425FE02B7D83AF3C8023401910FBF40C480428032602D46B337CA52FF095BEC1571EC011A00C0804180306028C01130126B519BED197FDDFD337F8C60338028C01810063C04080316022C0666D86EFF415BED337F8CE0338029C01810067C0D86F1F0326023C6A337CA7AFF09DBEC1771EC011100C48040403060282011301A1B5197ED057F841DFF6EBCF0338028201898060C0404030602220EBD313F8495FE1277D839F3C80232019900848060C042403E6FE00EB0B14F8495FE1277DCBF60F5B250A9B');
INSERT INTO "payloads" VALUES('032caf543fbd690f57e1d05546701c8a7e659ac858fa0c91f3846fe6318649f4',1039,X'789C3593316EC3400C047BBD4508A43B1E797A4E102B801B1B8A8B20BF0F37E174E76276D7F4F87E5BDF1FAFEFF36BFD783E3EEFB7F3F1712ED7B63E9EEBF6B66FCBB5AF3FE72BDFDD97ABD5DBDB72F57ACFB95C56EF66CB35EA3D92F57A47B25191894E22133D884C74DFEAC3A15E8A5BC23BCD23F19DEA487EB7CA154FB789A7DCC507C9E2E96FE2193032A031606640DB2B595F9C7E4BBED1EFC937BEFB219E015D3C038602183015302B593CFD967CA73F92EF1CE048BE33A0EBF40C1819D019301530FE939B78FA4D3CFD219E031CE219D093370678061803660658ABE4E48D7ED36F4F7F88E70032C71820758C0172C718F027CF51C992877ED933E8973E830348A0C10019341820850603A4D0F04A164FBF0C1AF4CBA0C101A49033400A3903A49033400A79AFE4E49D7E19E4F4CB20E70052C81920859C0152C8192085A2FE7A3228E8974141BF0C0A0E20858201522818208582015228EA1F2883827E1914F4A741BF2C4D0A7B');
INSERT INTO "payloads" VALUES('f9b97e5786438803cf2e1ebc6165c85a2cbe5fee6ed382b0fd0cde5ccdfbe2e5',1039,X'789C55934B6EC3300C44F73A8B5158FCCAC7291A17C8C6819A45D1DB97424860B223BC9837E233EFB7EDF37AFE9E3FDBD7E3FABEDFCEEBEB6C73DFAEC7B67FF4BDCDBEFD9DCF98E56893721EA34DCE99BD4DC9D9AD4DCD99B44DCBD9A44DCF486E73E467A5368F9C8F1EA8BD588B5B600F702F3205B917DA02DD257303DD8BADC1EE053F02DEBD9203DF8B3F82DFAB004701AA021E05A867F27A78F135F854FC23F8546F97284055604401AA021C05A80A7814A0F14AA6E053F12DF85CFCB578C6CDF3DBEA71F78CCB67CDE4E0336E9F8BBFF6CF2880D180A001410342991C7C410152FC6540D080A00141038206E478252F018A02B4F8CB80A20145038A06140DA86572F0150568F19701450386060C0D181A30CEE4E01B0AB0B7DF1F0D181A30346068C0F3F4960047018E27E068C0D180A30147039E17B804380A7038817F8CB90A9A');
CREATE TABLE run_flags (
	run_id INTEGER NOT NULL, 
	flag TEXT NOT NULL, 
	why TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_run_flags PRIMARY KEY (run_id, flag), 
	CONSTRAINT ck_run_flags_flag CHECK (flag IN ('primary', 'contrastive', 'baseline', 'late', 'amended', 'waived', 'withdrawn')), 
	CONSTRAINT fk_run_flags_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id)
);
INSERT INTO "run_flags" VALUES(2,'withdrawn','a mistake','2026-11-02 12:00:00.000000');
CREATE TABLE runs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	task_id INTEGER NOT NULL, 
	team_id INTEGER NOT NULL, 
	phase TEXT NOT NULL, 
	name TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	slug TEXT NOT NULL, 
	sha256 TEXT NOT NULL, 
	filename TEXT NOT NULL, 
	received DATETIME NOT NULL, 
	status TEXT NOT NULL, 
	CONSTRAINT ck_runs_status CHECK (status IN ('accepted', 'held')), 
	CONSTRAINT fk_runs_sha256_payloads FOREIGN KEY(sha256) REFERENCES payloads (sha256), 
	CONSTRAINT fk_runs_task_id_tasks FOREIGN KEY(task_id) REFERENCES tasks (id), 
	CONSTRAINT fk_runs_team_id_teams FOREIGN KEY(team_id) REFERENCES teams (id), 
	CONSTRAINT uq_runs_task_id_slug UNIQUE (task_id, slug), 
	CONSTRAINT uq_runs_task_id_team_id_number UNIQUE (task_id, team_id, number), 
	CONSTRAINT uq_runs_task_id_team_id_phase_name_sha256 UNIQUE (task_id, team_id, phase, name, sha256)
);
INSERT INTO "runs" VALUES(1,1,1,'','first',1,'team-a-1','2f5246bee83f0c78a096aa45852b0c4b2fb5fd598862c9d243e7116c574f1c67','r.csv','2026-11-01 13:00:00.000000','accepted');
INSERT INTO "runs" VALUES(2,1,1,'','second',2,'team-a-2','032caf543fbd690f57e1d05546701c8a7e659ac858fa0c91f3846fe6318649f4','r.csv','2026-11-01 14:00:00.000000','accepted');
INSERT INTO "runs" VALUES(3,1,2,'','only',1,'team-b-1','f9b97e5786438803cf2e1ebc6165c85a2cbe5fee6ed382b0fd0cde5ccdfbe2e5','r.csv','2026-11-01 15:00:00.000000','accepted');
CREATE TABLE scores (
	grading_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	subset TEXT NOT NULL, 
	measure TEXT NOT NULL, 
	n INTEGER NOT NULL, 
	value DOUBLE, 
	low DOUBLE, 
	high DOUBLE, 
	note TEXT NOT NULL, 
	no_interval TEXT NOT NULL, 
	details TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	CONSTRAINT pk_scores PRIMARY KEY (grading_id, position), 
	CONSTRAINT ck_scores_undefined_has_reason CHECK (value IS NOT NULL OR note <> ''), 
	CONSTRAINT ck_scores_high_finite CHECK (high BETWEEN -1e308 AND 1e308), 
	CONSTRAINT ck_scores_low_finite CHECK (low BETWEEN -1e308 AND 1e308), 
	CONSTRAINT ck_scores_value_finite CHECK (value BETWEEN -1e308 AND 1e308), 
	CONSTRAINT fk_scores_grading_id_gradings FOREIGN KEY(grading_id) REFERENCES gradings (id) ON DELETE CASCADE, 
	CONSTRAINT uq_scores_grading_id_subset_measure UNIQUE (grading_id, subset, measure)
);
INSERT INTO "scores" VALUES(1,0,'all','hmr',80,5.33553435114503926683e-01,4.95853076529742642364e-01,5.69235749609578345342e-01,'','','{"right":49,"wrong":31}',1);
INSERT INTO "scores" VALUES(1,1,'kind=hard','hmr',40,5.29694117647058759779e-01,4.38375157970752937774e-01,6.11454228421970391593e-01,'','','{"right":24,"wrong":16}',1);
INSERT INTO "scores" VALUES(1,2,'kind=easy','hmr',40,5.37627043090638911948e-01,0.43450756051285,6.11122091456293148326e-01,'','','{"right":25,"wrong":15}',1);
INSERT INTO "scores" VALUES(1,3,'all','accuracy',80,0.6125,0.5,0.675,'','','{}',1);
INSERT INTO "scores" VALUES(1,4,'kind=hard','accuracy',40,0.6,0.5,0.75,'','','{}',1);
INSERT INTO "scores" VALUES(1,5,'kind=easy','accuracy',40,0.625,0.5,0.75,'','','{}',1);
INSERT INTO "scores" VALUES(1,6,'all','brier',80,2.78700000000000058797e-01,0.23902,0.309555,'','','{}',1);
INSERT INTO "scores" VALUES(1,7,'kind=hard','brier',40,2.83799999999999941202e-01,0.20676,0.35952,'','','{}',1);
INSERT INTO "scores" VALUES(1,8,'kind=easy','brier',40,2.73600000000000065369e-01,2.10280000000000022453e-01,0.35944,'','','{}',1);
INSERT INTO "scores" VALUES(1,9,'all','ece@10',80,1.91500000000000031308e-01,7.27500000000000368594e-02,2.1550000000000008038e-01,'','','{"bins used":10,"floor mean":0.11399500000000001,"floor 95%":0.15850000000000003}',1);
INSERT INTO "scores" VALUES(1,10,'kind=hard','ece@10',40,0.205,NULL,NULL,'','not distinguishable from calibrated at this n (below 0.2250)','{"bins used":10,"floor mean":0.16036,"floor 95%":0.225}',1);
INSERT INTO "scores" VALUES(1,11,'kind=easy','ece@10',40,2.029999999999999305e-01,NULL,NULL,'','not distinguishable from calibrated at this n (below 0.2415)','{"bins used":9,"floor mean":0.16421,"floor 95%":0.24149999999999996}',1);
INSERT INTO "scores" VALUES(1,12,'all','auroc',80,5.78011849901250873706e-01,5.01424501424501456448e-01,6.5664961636828644842e-01,'','','{}',1);
INSERT INTO "scores" VALUES(1,13,'kind=hard','auroc',40,5.6770833333333337034e-01,3.9010989010989011172e-01,0.752,'','','{}',1);
INSERT INTO "scores" VALUES(1,14,'kind=easy','auroc',40,5.89333333333333375669e-01,3.70843989769820969737e-01,0.76,'','','{}',1);
INSERT INTO "scores" VALUES(2,0,'all','hmr',80,0.526677130044843,4.70053868756121429051e-01,6.06688980432543711884e-01,'','','{"right":49,"wrong":31}',1);
INSERT INTO "scores" VALUES(2,1,'kind=hard','hmr',40,5.31999999999999917399e-01,4.357649030404597279e-01,5.88082773257870505823e-01,'','','{"right":24,"wrong":16}',1);
INSERT INTO "scores" VALUES(2,2,'kind=easy','hmr',40,5.21426166794185186326e-01,3.83173508555071262726e-01,6.22904302019315125882e-01,'','','{"right":25,"wrong":15}',1);
INSERT INTO "scores" VALUES(2,3,'all','accuracy',80,0.6125,0.5,0.675,'','','{}',1);
INSERT INTO "scores" VALUES(2,4,'kind=hard','accuracy',40,0.6,0.5,0.75,'','','{}',1);
INSERT INTO "scores" VALUES(2,5,'kind=easy','accuracy',40,0.625,0.5,0.75,'','','{}',1);
INSERT INTO "scores" VALUES(2,6,'all','brier',80,0.2838,2.09480000000000027293e-01,3.41249999999999942268e-01,'','','{}',1);
INSERT INTO "scores" VALUES(2,7,'kind=hard','brier',40,0.27885,2.22269999999999967599e-01,0.34802,'','','{}',1);
INSERT INTO "scores" VALUES(2,8,'kind=easy','brier',40,0.28875,0.20518,4.12929999999999963744e-01,'','','{}',1);
INSERT INTO "scores" VALUES(2,9,'all','ece@10',80,2.02500000000000041078e-01,6.55000000000001691979e-02,2.74500000000000077271e-01,'','','{"bins used":10,"floor mean":0.11767,"floor 95%":0.1565}',1);
INSERT INTO "scores" VALUES(2,10,'kind=hard','ece@10',40,1.88499999999999973132e-01,NULL,NULL,'','not distinguishable from calibrated at this n (below 0.2165)','{"bins used":10,"floor mean":0.16663999999999998,"floor 95%":0.2165}',1);
INSERT INTO "scores" VALUES(2,11,'kind=easy','ece@10',40,2.31499999999999955813e-01,NULL,NULL,'','not distinguishable from calibrated at this n (below 0.2485)','{"bins used":10,"floor mean":0.16582,"floor 95%":0.24850000000000003}',1);
INSERT INTO "scores" VALUES(2,12,'all','auroc',80,5.62870309414088221267e-01,4.45841392649903300871e-01,7.37955729166666629659e-01,'','','{}',1);
INSERT INTO "scores" VALUES(2,13,'kind=hard','auroc',40,5.72916666666666629659e-01,3.97333333333333316161e-01,7.05729166666666629659e-01,'','','{}',1);
INSERT INTO "scores" VALUES(2,14,'kind=easy','auroc',40,0.552,2.5319693094629158736e-01,0.771978021978022,'','','{}',1);
INSERT INTO "scores" VALUES(3,0,'all','hmr',80,5.35851247777300865315e-01,4.844306612053833061e-01,5.93757575757575706276e-01,'','','{"right":49,"wrong":31}',1);
INSERT INTO "scores" VALUES(3,1,'kind=hard','hmr',40,5.65259668508287349553e-01,5.03171073934160717477e-01,6.13315772143562698559e-01,'','','{"right":24,"wrong":16}',1);
INSERT INTO "scores" VALUES(3,2,'kind=easy','hmr',40,5.05026813880126157485e-01,0.398673875924872,5.89760614841879804437e-01,'','','{"right":25,"wrong":15}',1);
INSERT INTO "scores" VALUES(3,3,'all','accuracy',80,0.6125,0.5,0.675,'','','{}',1);
INSERT INTO "scores" VALUES(3,4,'kind=hard','accuracy',40,0.6,0.5,0.75,'','','{}',1);
INSERT INTO "scores" VALUES(3,5,'kind=easy','accuracy',40,0.625,0.5,0.75,'','','{}',1);
INSERT INTO "scores" VALUES(3,6,'all','brier',80,2.77024999999999965716e-01,0.225655,0.316005,'','','{}',1);
INSERT INTO "scores" VALUES(3,7,'kind=hard','brier',40,0.25375,0.20162,0.30968,'','','{}',1);
INSERT INTO "scores" VALUES(3,8,'kind=easy','brier',40,0.3003,0.2137,0.36662,'','','{}',1);
INSERT INTO "scores" VALUES(3,9,'all','ece@10',80,1.91250000000000031086e-01,7.9500000000000015099e-02,2.34250000000000069277e-01,'','','{"bins used":10,"floor mean":0.1158,"floor 95%":0.16075}',1);
INSERT INTO "scores" VALUES(3,10,'kind=hard','ece@10',40,2.8949999999999992406e-01,1.93999999999999783728e-01,3.30999999999999905408e-01,'','','{"bins used":10,"floor mean":0.16840000000000002,"floor 95%":0.2325}',1);
INSERT INTO "scores" VALUES(3,11,'kind=easy','ece@10',40,3.47500000000000031086e-01,2.4500000000000005107e-01,4.84500000000000041744e-01,'','','{"bins used":9,"floor mean":0.15647,"floor 95%":0.225}',1);
INSERT INTO "scores" VALUES(3,12,'all','auroc',80,5.81632653061224469404e-01,4.825918762088974856e-01,7.05484330484330457444e-01,'','','{}',1);
INSERT INTO "scores" VALUES(3,13,'kind=hard','auroc',40,6.43229166666666629659e-01,5.18518518518518489734e-01,7.58312020460358060525e-01,'','','{}',1);
INSERT INTO "scores" VALUES(3,14,'kind=easy','auroc',40,0.516,0.376,0.708,'','','{}',1);
CREATE TABLE tasks (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	slug TEXT NOT NULL, 
	config TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	changed DATETIME NOT NULL, 
	CONSTRAINT uq_tasks_slug UNIQUE (slug)
);
INSERT INTO "tasks" VALUES(1,'old','title = "Old task"
primary = "hmr"
measures = ["ece@10", "auroc"]
[gold]
subsets = ["kind"]
cluster = "passage"
[resampling]
resamples = 50
','2026-11-01 12:00:00.000000','2026-11-01 12:00:00.000000');
CREATE TABLE teams (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name TEXT NOT NULL, 
	folded TEXT NOT NULL, 
	slug TEXT NOT NULL, 
	token TEXT, 
	created DATETIME NOT NULL, 
	CONSTRAINT uq_teams_folded UNIQUE (folded), 
	CONSTRAINT uq_teams_slug UNIQUE (slug), 
	CONSTRAINT uq_teams_token UNIQUE (token)
);
INSERT INTO "teams" VALUES(1,'Team A','team a','team-a','8066dcd8cd831c84ab3681197e02ec6990b99bda3fb02ee01b47496442986c24','2026-11-01 12:00:00.000000');
INSERT INTO "teams" VALUES(2,'Team B','team b','team-b','528a425d4e20eb59dddc7eaded4fa84e178d59dd50a2c5da1d5e503b9925ea65','2026-11-01 12:00:00.000000');
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('tasks',1);
INSERT INTO "sqlite_sequence" VALUES('golds',1);
INSERT INTO "sqlite_sequence" VALUES('teams',2);
INSERT INTO "sqlite_sequence" VALUES('runs',3);
INSERT INTO "sqlite_sequence" VALUES('gradings',3);
COMMIT;

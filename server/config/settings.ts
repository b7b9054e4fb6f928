type Setting = { name: string; default: string; meaning: string }

/** Every setting; docs/guides/configuration.md is generated from this list. */
export const settings: Setting[] = [
  {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on. Demo mode listens on loopback only.',
  },
  { name: 'PORT', default: '4000', meaning: 'Port to listen on; 0 chooses a free one.' },
  {
    name: 'PUBLIC_URL',
    default: 'http://localhost:PORT',
    meaning: 'Where people reach this server; used in links and cookies. Required when HOST is not loopback.',
  },
  {
    name: 'DATA_DIR',
    default: './data',
    meaning: 'Embedded database, files, outgoing mail without SMTP, generated secrets.',
  },
  {
    name: 'DATABASE_URL',
    default: '',
    meaning: 'Your own PostgreSQL 15 to 18. Empty: the embedded one in DATA_DIR.',
  },
  {
    name: 'SIGNALS_URL',
    default: '',
    meaning:
      'NATS servers that carry the wake-up signals between processes: `nats://host:4222`, or `tls://user:password@host:4222`; several of one cluster comma separated. The same for all processes. Empty: the database carries them.',
  },
  {
    name: 'FILES_URL',
    default: 'file:DATA_DIR/files',
    meaning:
      'Where files are stored: `file:` and a folder that all processes share, or `s3://bucket/folder`. S3 needs both AWS keys, and S3_REGION or S3_ENDPOINT.',
  },
  {
    name: 'S3_ENDPOINT',
    default: '',
    meaning: 'URL of your own S3-compatible server. Empty: AWS.',
  },
  { name: 'S3_REGION', default: 'us-east-1 with S3_ENDPOINT', meaning: 'Region of the bucket.' },
  { name: 'AWS_ACCESS_KEY_ID', default: '', meaning: 'Access key for the bucket.' },
  { name: 'AWS_SECRET_ACCESS_KEY', default: '', meaning: 'Secret of the access key.' },
  {
    name: 'MAX_FILE_BYTES',
    default: '104857600',
    meaning: 'Largest upload in bytes, 1 GiB at most. A proxy in front must allow as much.',
  },
  {
    name: 'BACKUP_TO',
    default: '',
    meaning:
      'Where backups are stored: `file:` and a folder of another disk, or `s3://bucket/folder` with the S3 settings above. Needs BACKUP_KEY.',
  },
  {
    name: 'BACKUP_KEY',
    default: '',
    meaning:
      '32 bytes in base64url that encrypt the backups. Keep a copy outside this machine: without it, no backup can be read.',
  },
  {
    name: 'BACKUP_EVERY_HOURS',
    default: '24',
    meaning: 'How often `up` makes a backup; 0: only the command `backup` does.',
  },
  {
    name: 'BACKUP_KEEP',
    default: '14d,8w,12m',
    meaning:
      'Backups that are kept besides those of the last 24 hours: the last one of each of so many days, weeks and months.',
  },
  {
    name: 'BACKUP_MAX_MB_PER_SECOND',
    default: '0',
    meaning: 'The most that a backup reads from the database per second; 0: no limit.',
  },
  {
    name: 'SMTP_URL',
    default: '',
    meaning: '`smtp://user:password@host:587`. Empty: mails are written to DATA_DIR/mail. Needs MAIL_FROM.',
  },
  {
    name: 'MAIL_FROM',
    default: 'Patio <patio@localhost>',
    meaning: 'Sender of outgoing mail. Mails to clients show the name of the organization with this address.',
  },
  {
    name: 'DEMO',
    default: '1 when DATABASE_URL is empty and HOST and PUBLIC_URL are loopback, else 0',
    meaning: 'On the first start, create demo organizations and write DATA_DIR/demo.json.',
  },
  {
    name: 'DASHBOARD',
    default: 'on',
    meaning:
      '`off`: no dashboard; the address `/` shows links to the API reference, and `npm start` builds nothing.',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug, trace or silent.' },
  {
    name: 'METRICS_PORT',
    default: '',
    meaning:
      'Port where a worker shows `/metrics` and `/healthz`; 0 chooses a free one. Each worker of a machine needs its own. Empty: it listens nowhere. API processes show `/metrics` on PORT.',
  },
  {
    name: 'METRICS_HOST',
    default: '127.0.0.1',
    meaning:
      'Address for METRICS_PORT. Metrics need no credential: never choose one that the internet reaches.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    meaning:
      'Address of an OpenTelemetry collector that takes OTLP over HTTP (protobuf), such as http://localhost:4318; https unless it is on this machine. Empty: no traces.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: '',
    meaning:
      'Headers for the collector, such as `authorization=Bearer%20secret`, comma separated, with percent-encoded values.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    meaning: 'The share of the traces that are exported, from 0 to 1. Each process decides by chance.',
  },
  {
    name: 'TRUST_PROXY',
    default: '',
    meaning: 'Addresses or networks of your proxies, comma separated. Their X-Forwarded-For is trusted.',
  },
  {
    name: 'POOL_SIZE',
    default: '10',
    meaning: 'Database connections of each API process. On Citus, to each node.',
  },
  {
    name: 'CONNECT_TO_NODES',
    default: '1',
    meaning:
      'On Citus, whether API processes and workers connect to all nodes, with the user, password and database of DATABASE_URL, so that requests of an organization go to the node that has its rows. 0: everything goes through the node of DATABASE_URL.',
  },
  {
    name: 'CONNECTION_TIMEOUT_MS',
    default: '2000',
    meaning:
      'How long API processes and workers wait for a database connection, in milliseconds. A request that waited as long gets 503.',
  },
  {
    name: 'STATEMENT_TIMEOUT_MS',
    default: '4000',
    meaning: 'Timeout of database statements in requests, in milliseconds.',
  },
  {
    name: 'DRAIN_DELAY_SECONDS',
    default: '0',
    meaning:
      'After SIGTERM: how long the process accepts requests while /readyz fails, so that a load balancer can react.',
  },
  {
    name: 'DRAIN_SECONDS',
    default: '10',
    meaning: 'After SIGTERM: how long running requests may take.',
  },
  {
    name: 'CEILING_FACTOR',
    default: '1',
    meaning: 'Multiplies the requests per minute of all plans; 0 turns these limits off.',
  },
  {
    name: 'ERROR_REPORTS_PER_HOUR',
    default: '6000',
    meaning:
      'Error reports per hour for each API key, a sixth of them at once; 0 for no limit. Calls are also limited to 1,000 per minute and key (times CEILING_FACTOR).',
  },
  {
    name: 'SIGN_IN_SECRET',
    default: 'generated in DATA_DIR',
    meaning:
      'Secret of sign-in sessions and of encrypted data, at least 32 characters. Required with DATABASE_URL.',
  },
  {
    name: 'FORMER_SECRETS',
    default: '',
    meaning:
      'Former values of SIGN_IN_SECRET, latest first, comma separated. They are needed to decrypt old data: one-time codes, secrets of webhooks and gateways, seal certificates, notes of leads.',
  },
  {
    name: 'SESSION_KEYS',
    default: 'generated in DATA_DIR',
    meaning:
      'Keys of session tokens: `kid:secret`, comma separated; the first signs, all verify. Required with DATABASE_URL.',
  },
  {
    name: 'PROVENANCE_KEY',
    default: 'derived from SIGN_IN_SECRET',
    meaning:
      'Secret of the key pair that signs the provenance of installed copies, at least 32 characters. Every node needs the same. When you change SIGN_IN_SECRET, set this to its old value.',
  },
  {
    name: 'OIDC_ISSUER',
    default: '',
    meaning: 'Issuer for sign-in with OpenID Connect. Needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
  },
  { name: 'OIDC_NAME', default: 'Single sign-on', meaning: 'Label of the sign-in button.' },
  { name: 'OIDC_CLIENT_ID', default: '', meaning: 'Client id at the issuer.' },
  { name: 'OIDC_CLIENT_SECRET', default: '', meaning: 'Client secret at the issuer.' },
  {
    name: 'OIDC_EMAIL_TRUSTED',
    default: '0',
    meaning:
      '1: addresses count as verified although the issuer sends no `email_verified`, as Entra ID does. Only for an issuer whose administrators choose every address: it can open any account with that address.',
  },
  {
    name: 'WEBHOOK_NETWORKS',
    default: 'loopback when DEMO is 1, else none',
    meaning:
      'Private networks that webhooks may reach, also over http, comma separated, such as 10.20.0.0/16 or 127.0.0.0/8.',
  },
  {
    name: 'STRIPE_URL',
    default: 'https://api.stripe.com',
    meaning: 'Where accounts of the gateway Stripe are asked, to try charges against a double of it.',
  },
  {
    name: 'TIME_STAMP_URL',
    default: '',
    meaning:
      'URL of a time stamp authority (RFC 3161). Workers then obtain time stamps for the signatures of all organizations. It receives digests alone.',
  },
  {
    name: 'VERIFACTU_PRODUCER_NAME',
    default: '',
    meaning:
      'Name of the producer of the software that tax records (VERI*FACTU) state: the party that signs the responsible declaration of this installation. With VERIFACTU_PRODUCER_NIF, organizations can turn tax records on.',
  },
  { name: 'VERIFACTU_PRODUCER_NIF', default: '', meaning: 'NIF of that producer.' },
  {
    name: 'VERIFACTU_URL',
    default: '',
    meaning:
      'Where tax records are sent: the address of the service sfVerifactu of the Spanish tax office, for tests or for production. Empty: records are written and not sent.',
  },
  {
    name: 'VERIFACTU_CERTIFICATE',
    default: '',
    meaning:
      'Path of the PKCS #12 file with the client certificate for VERIFACTU_URL. It must entitle to send for the organizations of this server.',
  },
  { name: 'VERIFACTU_PASSPHRASE', default: '', meaning: 'Passphrase of that file.' },
  {
    name: 'VENDOR_PREFIX',
    default: 'X-Service-',
    meaning: 'Prefix of the webhook headers.',
  },
]

type Setting = { name: string; default: string; meaning: string }

/** Every setting; docs/guides/configuration.md is made from this list. */
export const settings: Setting[] = [
  {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on. Demo mode listens on loopback only.',
  },
  { name: 'PORT', default: '4000', meaning: 'Port to listen on; 0 takes a free one.' },
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
    meaning: 'A PostgreSQL 15 to 18 of your own. Empty: the embedded one in DATA_DIR.',
  },
  {
    name: 'FILES_URL',
    default: 'file:DATA_DIR/files',
    meaning:
      'Where attachments are kept: `file:` and a folder, which all processes share, or `s3://bucket/folder`. S3 needs both AWS keys, and S3_REGION or S3_ENDPOINT.',
  },
  {
    name: 'S3_ENDPOINT',
    default: '',
    meaning: 'Address of an S3-compatible server of your own. Empty: that of AWS.',
  },
  { name: 'S3_REGION', default: 'us-east-1 with S3_ENDPOINT', meaning: 'Region of the bucket.' },
  { name: 'AWS_ACCESS_KEY_ID', default: '', meaning: 'Access key for the bucket.' },
  { name: 'AWS_SECRET_ACCESS_KEY', default: '', meaning: 'Secret of that key.' },
  {
    name: 'MAX_FILE_BYTES',
    default: '104857600',
    meaning: 'Largest file that can be uploaded, 1 GiB at most. A proxy in front must allow as much.',
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
    meaning: 'On the first start make demo organizations and write DATA_DIR/demo.json.',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug, trace or silent.' },
  {
    name: 'TRUST_PROXY',
    default: '',
    meaning: 'Addresses or networks of your proxies, comma separated, whose X-Forwarded-For is believed.',
  },
  { name: 'POOL_SIZE', default: '10', meaning: 'Database connections of each API process.' },
  {
    name: 'STATEMENT_TIMEOUT_MS',
    default: '4000',
    meaning: 'Longest time a database statement of a request may take.',
  },
  {
    name: 'DRAIN_DELAY_SECONDS',
    default: '0',
    meaning:
      'After SIGTERM: how long this process still takes requests while /readyz says no, so that a balancer can look elsewhere.',
  },
  {
    name: 'DRAIN_SECONDS',
    default: '10',
    meaning: 'After SIGTERM: how long accepted requests may still take.',
  },
  {
    name: 'CEILING_FACTOR',
    default: '1',
    meaning: 'Multiplies the ceilings of requests per minute of all plans; 0 switches them off.',
  },
  {
    name: 'ERROR_REPORTS_PER_HOUR',
    default: '6000',
    meaning:
      'Error reports that each key of an application may send in an hour, a sixth of them at once; 0 for any number. Calls are bounded as well, to 1,000 per minute and key (times CEILING_FACTOR).',
  },
  {
    name: 'SIGN_IN_SECRET',
    default: 'generated in DATA_DIR',
    meaning:
      'Secret of sign-in sessions and of all that is kept encrypted, 32 characters or more. Required with DATABASE_URL.',
  },
  {
    name: 'FORMER_SECRETS',
    default: '',
    meaning:
      'All values of SIGN_IN_SECRET before this one, the latest first, comma separated. What they encrypted (one-time codes, secrets of webhooks and gateways, notes of leads) can be read by them alone.',
  },
  {
    name: 'SESSION_KEYS',
    default: 'generated in DATA_DIR',
    meaning:
      'Keys of session tokens: `kid:secret`, comma separated; the first signs, all verify. Required with DATABASE_URL.',
  },
  {
    name: 'PROVENANCE_KEY',
    default: 'made from SIGN_IN_SECRET',
    meaning:
      'Secret of 32 characters or more behind the key pair that signs where installed copies come from. Every node needs the same. Give it the old SIGN_IN_SECRET when you change that one.',
  },
  {
    name: 'OIDC_ISSUER',
    default: '',
    meaning: 'Sign-in by OpenID Connect: the issuer. Needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
  },
  { name: 'OIDC_NAME', default: 'Single sign-on', meaning: 'What the button of that sign-in says.' },
  { name: 'OIDC_CLIENT_ID', default: '', meaning: 'Client id at that issuer.' },
  { name: 'OIDC_CLIENT_SECRET', default: '', meaning: 'Client secret at that issuer.' },
  {
    name: 'WEBHOOK_NETWORKS',
    default: 'loopback when DEMO is 1, else none',
    meaning:
      'Networks, comma separated, that webhooks may reach although they are not public, also by http, such as 10.20.0.0/16 or 127.0.0.0/8.',
  },
  {
    name: 'STRIPE_URL',
    default: 'https://api.stripe.com',
    meaning: 'Where accounts of the gateway Stripe are asked, to try charges against a double of it.',
  },
  {
    name: 'VENDOR_PREFIX',
    default: 'X-Service-',
    meaning: 'What the names of the headers of webhooks begin with.',
  },
]

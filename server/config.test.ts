import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientCertificate, clientPassphrase } from '#tests/support/billing/tax-office-certificates.ts'
import { ConfigError, environmentOf, readConfig, settings } from './config.ts'

const long = 'thirty-two characters or more of it'
const postgres = 'postgres://patio:hidden@db.internal/patio'
const bucketKeys = { AWS_ACCESS_KEY_ID: 'me', AWS_SECRET_ACCESS_KEY: 'hidden' }
let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'patio-config-'))
})
afterAll(() => rmSync(dataDir, { recursive: true }))

function read(env: Record<string, string>) {
  return readConfig({ DATA_DIR: dataDir, ...env })
}
/** With a database of one's own, which needs both secrets. */
function readOwn(env: Record<string, string>) {
  return read({ DATABASE_URL: postgres, SIGN_IN_SECRET: long, SESSION_KEYS: `k1:${long}`, ...env })
}

test('the default is a demo on this machine, on port 4000, with the embedded database', () => {
  expect(read({})).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    publicUrl: 'http://localhost:4000',
    databaseUrl: undefined,
    demo: true,
    trustProxy: false,
    smtpUrl: undefined,
    oidc: undefined,
    filesUrl: `file:${dataDir}/files`,
    s3: undefined,
    maxFileBytes: 104_857_600,
    formerSecrets: [],
  })
  expect(read({ FORMER_SECRETS: `${long}2, ${long}1` }).formerSecrets).toEqual([`${long}2`, `${long}1`])
})

test('a worker shows its metrics nowhere by default, and on this machine with a port', () => {
  expect(read({}).metrics).toBeUndefined()
  expect(read({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
})

test('secrets are generated once, readable by the owner only, and reused on the next start', () => {
  const first = read({})
  const path = join(dataDir, 'secrets.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(read({})).toMatchObject({ signInSecret: first.signInSecret, sessionKeys: first.sessionKeys })
  expect(readFileSync(path, 'utf8')).toContain(first.signInSecret)
  expect(existsSync(`${path}.new`)).toBe(false)
})

test('demo mode is off by default if other machines can reach the server', () => {
  expect(readOwn({}).demo).toBe(false)
  expect(read({ PUBLIC_URL: 'https://patio.example.com' }).demo).toBe(false)
  expect(read({ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:4000' }).demo).toBe(false)
  expect(read({ HOST: '::1' }).demo).toBe(true)
})

test.each<[string, Record<string, string>, RegExp]>([
  ['METRICS_HOST alone', { METRICS_HOST: '0.0.0.0' }, /METRICS_HOST needs METRICS_PORT/],
  ['METRICS_PORT of the API', { PORT: '4000', METRICS_PORT: '4000' }, /METRICS_PORT=4000 is the PORT/],
  [
    'trusted addresses of a shared issuer',
    {
      OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0',
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
      OIDC_EMAIL_TRUSTED: '1',
    },
    /OIDC_EMAIL_TRUSTED needs an issuer for one company/,
  ],
  ['traces over plain http', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.0.0.1:4318' }, /must be an https/],
  ['traces with a password', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://a:b@c.test' }, /must be an https/],
  ['a ratio above 1', { OTEL_TRACES_SAMPLER_ARG: '5' }, /OTEL_TRACES_SAMPLER_ARG=5 must be a number/],
  ['a header without a value', { OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b' }, /HEADERS must be like name=value/],
  ['a header of two lines', { OTEL_EXPORTER_OTLP_HEADERS: 'a=1%0d%0ab:2' }, /HEADERS must be like/],
  [
    'demo mode for everybody',
    { DEMO: '1', HOST: '0.0.0.0', PUBLIC_URL: 'http://10.0.0.1' },
    /DEMO=1 .*HOST=127/,
  ],
  ['demo mode behind a public address', { DEMO: '1', PUBLIC_URL: 'https://patio.example.com' }, /DEMO=1/],
  ['a host without a public address', { HOST: '0.0.0.0', DEMO: '0' }, /set PUBLIC_URL/],
  ['a public address with a path', { PUBLIC_URL: 'https://example.com/patio' }, /without a path/],
  ['an invalid public URL', { PUBLIC_URL: 'patio.example.com' }, /PUBLIC_URL must be like https/],
  ['a public address with a user', { PUBLIC_URL: 'https://me@example.com' }, /PUBLIC_URL must be like https/],
  [
    'another database',
    { DATABASE_URL: 'mysql://root:hidden@db/patio' },
    /DATABASE_URL must be like postgres/,
  ],
  ['a database without secrets', { DATABASE_URL: postgres }, /SIGN_IN_SECRET and SESSION_KEYS/],
  ['a database with half of them', { DATABASE_URL: postgres, SIGN_IN_SECRET: long }, /SESSION_KEYS/],
  ['a short secret', { SIGN_IN_SECRET: 'short' }, /SIGN_IN_SECRET must have 32/],
  ['a short former secret', { FORMER_SECRETS: `${long},short` }, /FORMER_SECRETS must be comma separated/],
  ['a short key of provenance', { PROVENANCE_KEY: 'short' }, /PROVENANCE_KEY must have 32/],
  ['a key without a name', { SESSION_KEYS: long }, /kid:secret/],
  ['a short key', { SESSION_KEYS: 'k1:short' }, /32 characters or more/],
  ['two keys of one name', { SESSION_KEYS: `k1:${long},k1:${long}!` }, /kid twice/],
  ['OpenID Connect without its client', { OIDC_ISSUER: 'https://id.example.com' }, /all of OIDC_ISSUER/],
  ['another Stripe without TLS', { STRIPE_URL: 'http://stripe.example.com' }, /https address/],
  ['another Stripe that is no address', { STRIPE_URL: 'stripe' }, /https address/],
  ['a time stamp authority that is no address', { TIME_STAMP_URL: 'tsa.example.com' }, /like https/],
  [
    'a password for a time stamp authority',
    { TIME_STAMP_URL: 'https://me:hidden@tsa.example.com' },
    /like https/,
  ],
  ['a name of no sign-in', { OIDC_NAME: 'Company' }, /all of OIDC_ISSUER/],
  [
    'OpenID Connect in the clear',
    { OIDC_ISSUER: 'http://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'hidden' },
    /must be an https/,
  ],
  ['mail without a sender', { SMTP_URL: 'smtp://me:hidden@mail.example.com' }, /set MAIL_FROM/],
  ['mail by other means', { SMTP_URL: 'https://hidden@mail.example.com', MAIL_FROM: 'a@b.c' }, /like smtp/],
  [
    'signals by other means',
    { SIGNALS_URL: 'amqp://me:hidden@mq.internal' },
    /SIGNALS_URL must be like nats/,
  ],
  ['signals nowhere', { SIGNALS_URL: 'nats:4222' }, /SIGNALS_URL must be like nats/],
  ['signals with a path', { SIGNALS_URL: 'nats://mq.internal/hidden' }, /SIGNALS_URL must be like nats/],
  ['signals with half of the credentials', { SIGNALS_URL: 'nats://hidden@mq' }, /SIGNALS_URL must be like/],
  ['signals of a wrong encoding', { SIGNALS_URL: 'nats://me:hidden%@mq' }, /must be percent-encoded/],
  ['signals in two schemes', { SIGNALS_URL: 'nats://a,tls://b' }, /must have the same scheme/],
  [
    'signals of two users',
    { SIGNALS_URL: 'nats://me:hidden@a,nats://you:hidden@b' },
    /must have the same scheme, user/,
  ],
  ['files nowhere', { FILES_URL: '/var/files' }, /FILES_URL=\/var\/files must begin with/],
  ['an invalid bucket', { FILES_URL: 's3://A bucket' }, /must be like s3:\/\/bucket/],
  [
    'a bucket without keys',
    { FILES_URL: 's3://patio', S3_REGION: 'eu-1' },
    /AWS_ACCESS_KEY_ID and AWS_SECRET/,
  ],
  [
    'a bucket with half of the keys',
    { FILES_URL: 's3://patio', S3_REGION: 'eu-1', AWS_ACCESS_KEY_ID: 'a' },
    /AWS_SECRET_ACCESS_KEY/,
  ],
  ['a bucket nowhere', { FILES_URL: 's3://patio', ...bucketKeys }, /S3_REGION, or S3_ENDPOINT/],
  [
    'a bucket at no address',
    { FILES_URL: 's3://patio', ...bucketKeys, S3_ENDPOINT: 's3.example.com' },
    /S3_ENDPOINT must be like/,
  ],
  [
    'a bucket at an address with a password',
    { FILES_URL: 's3://patio', ...bucketKeys, S3_ENDPOINT: 'https://me:hidden@s3.example.com' },
    /S3_ENDPOINT must be like/,
  ],
  [
    'a server of S3 for nothing',
    { S3_ENDPOINT: 'https://s3.example.com' },
    /need a bucket: FILES_URL or BACKUP_TO=s3/,
  ],
  ['files without an end', { MAX_FILE_BYTES: '99999999999' }, /MAX_FILE_BYTES=.* from 1 to/],
  ['every proxy', { TRUST_PROXY: 'true' }, /TRUST_PROXY must contain addresses/],
  ['an invalid network', { TRUST_PROXY: '10.0.0.0/33' }, /10\.0\.0\.0\/33 is not one/],
  ['an invalid port', { PORT: '65536' }, /PORT=65536 must be a whole number from 0 to 65535/],
  ['half a port', { PORT: '40.5' }, /whole number/],
  ['an invalid flag', { DEMO: 'yes' }, /DEMO=yes must be 0 or 1/],
  ['an invalid log level', { LOG_LEVEL: 'loud' }, /LOG_LEVEL=loud must be one of/],
])('%s is refused', (_what, env, complaint) => {
  let thrown: unknown
  try {
    read(env)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(ConfigError)
  expect((thrown as Error).message).toMatch(complaint)
  expect((thrown as Error).message, 'no secret is repeated').not.toContain('hidden')
})

test('complete features are accepted', () => {
  const config = readOwn({
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://patio.example.com/',
    TRUST_PROXY: '10.0.0.0/8, ::1, loopback',
    SMTP_URL: 'smtps://me:secret@mail.example.com',
    MAIL_FROM: 'Patio <patio@example.com>',
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'patio',
    OIDC_CLIENT_SECRET: 'secret',
    SESSION_KEYS: `k2:${long}:with:colons,k1:${long}`,
    FILES_URL: 's3://patio.files/a/b',
    S3_ENDPOINT: 'https://s3.example.com',
    ...bucketKeys,
    MAX_FILE_BYTES: '5000',
  })
  expect(config).toMatchObject({
    publicUrl: 'https://patio.example.com',
    trustProxy: '10.0.0.0/8, ::1, loopback',
    filesUrl: 's3://patio.files/a/b',
    s3: {
      endpoint: 'https://s3.example.com/',
      region: 'us-east-1',
      accessKeyId: 'me',
      secretAccessKey: 'hidden',
    },
    maxFileBytes: 5_000,
    oidc: { name: 'Single sign-on', issuer: 'https://id.example.com', clientId: 'patio' },
    sessionKeys: [
      { kid: 'k2', secret: `${long}:with:colons` },
      { kid: 'k1', secret: long },
    ],
  })
})

test("a child process reads its parent's settings", () => {
  const parent = { ...read({ PORT: '4321' }), databaseUrl: postgres }
  const child = readConfig(environmentOf(parent))
  expect(child).toEqual({ ...parent, demo: false })
})

test('NATS carries signals with its address, and credentials if it has any', () => {
  expect(read({}).nats).toBeUndefined()
  expect(read({ SIGNALS_URL: 'nats://mq.internal' }).nats).toEqual({
    servers: ['mq.internal:4222'],
    isTls: false,
    user: undefined,
    password: undefined,
  })
  expect(
    read({ SIGNALS_URL: 'tls://patio:p%40ss@a.internal:5222, tls://patio:p%40ss@[::1]:6222' }).nats,
  ).toEqual({
    servers: ['a.internal:5222', '[::1]:6222'],
    isTls: true,
    user: 'patio',
    password: 'p@ss',
  })
})

test('AWS keys may be in the environment for something else', () => {
  expect(read(bucketKeys).s3).toBeUndefined()
  const onAws = { FILES_URL: 's3://patio', S3_REGION: 'eu-central-1', ...bucketKeys }
  expect(read(onAws).s3).toMatchObject({ endpoint: undefined, region: 'eu-central-1' })
})

test('exactly the listed settings are read', () => {
  const readNames = new Set<string>()
  const env = new Proxy({ DATA_DIR: dataDir } as Record<string, string>, {
    get(target, name) {
      readNames.add(String(name))
      return target[String(name)]
    },
  })
  readConfig(env)
  expect([...readNames].sort()).toEqual(settings.map(({ name }) => name).sort())
})

test("Stripe's own URL is the default, and only this machine may be without TLS", () => {
  expect(read({}).stripe).toBeUndefined()
  for (const url of ['https://double.example.com', 'http://127.0.0.1:4242'])
    expect(read({ STRIPE_URL: `${url}/` }).stripe).toEqual({ url })
})

test('a time stamp authority may have an http address, and is off by default', () => {
  expect(read({}).timeStampUrl).toBeUndefined()
  for (const url of ['https://tsa.example.com/tsr', 'http://10.1.2.3/tsr'])
    expect(read({ TIME_STAMP_URL: url }).timeStampUrl).toBe(url)
})

const producer = { VERIFACTU_PRODUCER_NAME: 'Patio SL', VERIFACTU_PRODUCER_NIF: 'B76543214' }
const office = { VERIFACTU_URL: 'https://tax.example/records', VERIFACTU_PASSPHRASE: clientPassphrase }

test('tax records are written for a producer, and sent with a client certificate', () => {
  expect(read({}).taxRecords).toBeUndefined()
  const { VERIFACTU_PRODUCER_NAME: producerName, VERIFACTU_PRODUCER_NIF: producerNif } = producer
  expect(read(producer).taxRecords).toEqual({ producerName, producerNif })
  const path = join(dataDir, 'office.p12')
  writeFileSync(path, clientCertificate)
  expect(read({ ...producer, ...office, VERIFACTU_CERTIFICATE: path }).taxRecords).toEqual({
    producerName,
    producerNif,
    office: { url: office.VERIFACTU_URL, certificate: clientCertificate, passphrase: clientPassphrase },
  })
  const wrong: [Record<string, string>, RegExp][] = [
    [{ VERIFACTU_PRODUCER_NAME: 'Patio SL' }, /need VERIFACTU_PRODUCER_NAME and VERIFACTU_PRODUCER_NIF/],
    [{ ...producer, VERIFACTU_PRODUCER_NIF: 'b7654321' }, /9 capital letters and digits/],
    [{ ...producer, ...office }, /needs VERIFACTU_URL and VERIFACTU_CERTIFICATE/],
    [
      { ...producer, ...office, VERIFACTU_CERTIFICATE: path, VERIFACTU_URL: 'http://tax.example' },
      /must be an https address/,
    ],
    [{ ...producer, ...office, VERIFACTU_CERTIFICATE: join(dataDir, 'none.p12') }, /cannot be read/],
    [
      { ...producer, ...office, VERIFACTU_CERTIFICATE: path, VERIFACTU_PASSPHRASE: 'wrong' },
      /cannot be opened/,
    ],
  ]
  for (const [env, message] of wrong) expect(() => read(env)).toThrow(message)
})

test('traces go to the path of OTLP, with decoded headers', () => {
  expect(read({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).traces).toBeUndefined()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.test:4318/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-tenant = patio=1',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  }
  expect(read(env).traces).toEqual({
    url: 'https://collector.test:4318/otlp/v1/traces',
    headers: { authorization: 'Bearer a,b', 'x-tenant': 'patio=1' },
    ratio: 0.05,
  })
  const local = read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }).traces
  expect(local).toEqual({ url: 'http://localhost:4318/v1/traces', headers: {}, ratio: 1 })
})

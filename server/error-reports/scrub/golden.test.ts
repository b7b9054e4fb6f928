import { expect, test } from 'vitest'
import { leastProcessorMs } from '#tests/support/processor-time.ts'
import { scrubContext } from './context.ts'
import { normalizeSecretNames } from './secret-keys.ts'
import { scrubText } from './text.ts'

/** Secret field names; their values can be any word. */
const names = [
  'password',
  'passwords',
  'userPassword',
  'PGPASSWORD',
  'passwd',
  'passphrase',
  'token',
  'accessToken',
  'refresh_token',
  'csrf',
  'xsrf-token',
  'csrfmiddlewaretoken',
  'api_key',
  'X-Api-Key',
  'client_secret',
  'secret',
  'aws_secret_access_key',
  'private_key',
  'signing_key',
  'session',
  'sessionId',
  'connectionString',
  'dsn',
  'signature',
  'X-Amz-Signature',
  'X-Amz-Security-Token',
  'sig',
  'contraseña',
  'clave',
  'dni',
  'iban',
  'pin',
  'cvv',
  'otp',
  'authorization_code',
  'credentials',
]

/** Secrets with a known format. They are concatenated here, so that secret scanners do not report them. */
const forms: [kind: string, secret: string][] = [
  ['Stripe', `sk_${'live'}_51HxJ2KLmNoPqRsTuVwXyZ`],
  ['GitHub', `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`],
  ['GitHub, fine-grained', `github_${'pat'}_11AAAAAAA0aBcDeFgHiJkL_mNoPqRsTuVwXyZ`],
  ['GitLab', `glpat-${'x9Y8z7W6v5U4t3S2r1Q0'}`],
  ['Slack', `xoxb-${'123456789012-abcdefGHIJKL'}`],
  ['Slack webhook', `https://hooks.slack.com/${'services'}/T0AAAAAAA/B0BBBBBBB/aBcDeFgHiJkLmNoPqRsTuVwX`],
  ['Discord webhook', `https://discord.com/api/webhooks/123456789012345678/${'aBcDeFgHiJ'.repeat(6)}`],
  ['AWS', `AKIA${'IOSFODNN7ABCDEFG'}`],
  ['AWS, for a time', `ASIA${'IOSFODNN7ABCDEFG'}`],
  ['Google', `AIza${'SyA1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuV'}`],
  ['Google OAuth', `ya29.${'a0AfH6SMBx1y2z3w4v5u6t7s8r9q'}`],
  ['SendGrid', `SG.${'aBcDeFgHiJkLmNoPqRsTuV'}.${'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcdefg'}`],
  ['Twilio', `SK${'0123456789abcdef'.repeat(2)}`],
  ['Mailgun', `key-${'0123456789abcdef'.repeat(2)}`],
  ['Mailchimp', `${'0123456789abcdef'.repeat(2)}-us12`],
  ['npm', `npm_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`],
  ['PyPI', `pypi-${'AgEIcHlwaS5vcmcCJDEyMzQ1Njc4LTEyMzQt'}`],
  ['OpenAI', `sk-${'proj-a1B2c3D4e5F6g7H8i9J0'}`],
  ['Hugging Face', `hf_${'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH'}`],
  ['DigitalOcean', `dop_v1_${'0123456789abcdef'.repeat(4)}`],
  ['Shopify', `shpat_${'0123456789abcdef'.repeat(2)}`],
  ['Vault', `hvs.${'CAESIJlU02LQZq1y2z3w4v5u6t7s'}`],
  ['Telegram', `123456789:AA${'F1e2D3c4B5a6Z7y8X9w0V1u2T3s4R5q6P'}`],
  ['webhook secret', `whsec_${'a1B2c3D4e5F6g7H8i9J0k1L2'}`],
  ['JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g'],
  ['key of an application', `patio_app_${'a1B2c3D4e5F6g7H8'.repeat(4)}`],
  ['personal token', `patio_pat_${'a1B2c3D4e5F6g7H8'.repeat(4)}`],
  ['link to sign', `patio_sign_${'a1B2c3D4e5F6g7H8'.repeat(4)}`],
  ['session of the portal', `patio_portal_session_${'a1B2c3D4e5F6g7H8'.repeat(4)}`],
]

const value = 'Zebra7Quartz'
const parts = (secret: string) => [secret, encodeURIComponent(secret)]
const left = (text: string, secret: string) => parts(secret).some(part => text.includes(part))
const json = (object: object) => JSON.stringify(JSON.stringify(object))

test('has golden cases for 60 kinds', () => {
  expect(names.length + forms.length).toBeGreaterThanOrEqual(60)
})

test.each(names)('%s in every notation', name => {
  const places: Record<string, string> = {
    text: `could not call it: ${name}=${value} (try 3)`,
    'command line': `run --${name} ${value} --verbose failed`,
    'option with a sign': `run --${name}=${value} --verbose failed`,
    'JSON in a string': `got ${json({ a: 1, [name]: value, b: 2 })}`,
    'JSON in JSON in a string': JSON.stringify(json({ [name]: value })),
    'cut JSON': `got {"${name}":"${value}`,
    address: `GET /x?a=1&${encodeURIComponent(name)}=${value}&b=2`,
    'address in an address': `/to?next=${encodeURIComponent(`/x?a=1&${name}=${value}&b=2`)}`,
    'encoded JSON': `q=${encodeURIComponent(JSON.stringify({ [name]: value, b: 1 }))}`,
    XML: `<a><${name}>${value}</${name}></a>`,
    'XML in XML': `&lt;${name}&gt;${value}&lt;/${name}&gt;`,
    list: `headers ["host","x","${name}","${value}"]`,
    'Ruby and PHP': `{:a=>1, "${name}" => "${value}"}`,
    form: `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x`,
  }
  for (const [place, text] of Object.entries(places)) {
    const clean = scrubText(text)
    expect([place, clean, left(clean, value)]).toEqual([place, clean, false])
    expect([place, scrubText(clean)]).toEqual([place, clean])
  }
  for (const key of [name, name.toUpperCase(), `billing.${name}`]) {
    const clean = scrubContext({ deep: [{ [key]: value, [`${key}s`]: 1 }], text: json({ [name]: value }) })
    expect([key, JSON.stringify(clean).includes(value)]).toEqual([key, false])
  }
})

test.each(forms)('%s in every context', (_kind, secret) => {
  const places: Record<string, string> = {
    text: `could not use ${secret}, sorry`,
    'JSON in a string': `got ${json({ v: secret })}`,
    address: `GET /x?v=${encodeURIComponent(secret)}&b=2`,
    XML: `<v>${secret}</v>`,
  }
  for (const [place, text] of Object.entries(places)) {
    const clean = scrubText(text)
    expect([place, clean, left(clean, secret)]).toEqual([place, clean, false])
  }
  expect(JSON.stringify(scrubContext({ list: [{ v: secret }] }))).not.toContain(secret)
})

test.each([
  ['?code=a1B2c3D4e5F6&state=1', 'a1B2c3D4e5F6'],
  ['/cb%3Fcode%3Da1B2c3D4e5F6%26x', 'a1B2c3D4e5F6'],
  ['Authorization: Token a1B2c3D4e5F6', 'a1B2c3D4e5F6'],
  ['Authorization: Digest username="x", response="a1B2c3D4e5F6"', 'a1B2'],
  ['{"Authorization":"ApiKey a1B2c3D4e5F6"}', 'a1B2c3D4e5F6'],
  ['curl -u ann:Zebra7Quartz https://x.test', 'Zebra7Quartz'],
  ['https://0123456789abcdef0123456789abcdef@o1.ingest.example/2', '0123456789abcdef'],
  ['the DNI 12345678Z is taken', '12345678Z'],
  ['NIE X-1234567-L', '1234567'],
  ['IBAN ES91 2100 0418 4502 0005 1332', '0418'],
  ['account ES9121000418450200051332 is closed', 'ES91'],
  ['Server=db;User Id=sa;Password=Zebra7Quartz;Timeout=3', 'Zebra7Quartz'],
  ['AccountName=x;AccountKey=aGVsbG8gd29ybGQgaGVsbG8=;', 'aGVsbG8'],
  ['{"password":"Zebra\\"7Quartz"}', '7Quartz'],
  ['user[password]=Zebra7Quartz', 'Zebra7Quartz'],
  ['{"contrase\\u00f1a":"Zebra7Quartz"}', 'Zebra7Quartz'],
])('%s', (text, secret) => {
  expect(scrubText(text)).not.toContain(secret)
})

test.each([
  'Expected 3 sessions, got 2',
  'sessionCount=3 designated author: Ann',
  'status code: 503, code=200, ?code=404',
  'signature of the function f(a, b) is wrong',
  'at f (/app/a.ts:10:3)',
  'the clave of the word',
  'run --verbose --port 8080 -u ann',
  '<name>Ann</name><count>3</count>',
  'order ES12 3456 of 2026-01-01',
  '["host","example.test"]',
])('keeps %s', text => expect(scrubText(text)).toBe(text))

test('secret names of an organization', () => {
  const customNames = normalizeSecretNames(['Número de socio', 'x-tenant', 'nss'])
  for (const text of [
    `numeroDeSocio=${value}`,
    `númeroDeSocio=${value}`,
    `numero_de_socio=1&X-Tenant: ${value}`,
    `{"patientNss":"${value}"}`,
    `<nss>${value}</nss>`,
  ])
    expect(scrubText(text, customNames)).not.toContain(value)
  expect(scrubContext({ a: { NSS: 12 }, tenant: 'open' }, customNames)).toEqual({
    a: { NSS: '[filtered]' },
    tenant: 'open',
  })
  expect(scrubText(`nss=${value}`)).toContain(value)
})

test.each([
  '<a>',
  '<a ',
  '--a ',
  'a,"',
  '\\"',
  '%22',
  '%',
  'ES12',
  'ES12 ',
  'name="a"\n\n',
  'dni ',
  '&lt;a',
  "\\'a\\':",
])('linear time for repetitions of %s', async piece => {
  for (const begin of ['', 'password=', '"token":"']) {
    const text = (begin + piece.repeat(10_000)).slice(0, 10_000)
    expect(await leastProcessorMs(() => scrubText(text), 40)).toBeLessThan(40)
  }
})

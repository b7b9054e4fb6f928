import { crc32 } from 'node:zlib'
import type { FindingSeverity, TextRule } from './finding.rules.ts'

const removeAndRevoke = 'Remove it and revoke it at its issuer: everyone who reads this version can use it.'

/** Services whose keys have a known prefix or URL. */
const services: [name: string, needle: string, pattern: RegExp][] = [
  ['1Password', 'ops_eyj', /(?<!\w)ops_eyJ([\w-]{200,1000})/g],
  ['Cloudflare', 'v1.0-', /(?<![\w.])v1\.0-([0-9a-f]{24}-[0-9a-f]{146})(?!\w)/g],
  ['Databricks', 'dapi', /(?<!\w)dapi([0-9a-f]{32})(?!\w)/g],
  ['DigitalOcean', '_v1_', /(?<!\w)do[opr]_v1_([0-9a-f]{64})(?!\w)/g],
  ['Discord', '/api/webhooks/', /discord(?:app)?\.com\/api\/webhooks\/\d{15,25}\/([\w-]{60,80})/g],
  ['Docker Hub', 'dckr_', /(?<!\w)dckr_[op]at_([\w-]{20,64})(?!\w)/g],
  ['Figma', 'fig', /(?<!\w)fig[duoh]r?_([\w-]{38,64})(?!\w)/g],
  ['Grafana', 'gls', /(?<!\w)glsa_(\w{32}_[0-9a-f]{8})(?!\w)/g],
  ['Groq', 'gsk_', /(?<!\w)gsk_([A-Za-z0-9]{48,60})(?!\w)/g],
  ['Kubernetes', 'client-key-data', /client-key-data["']?:\s{0,5}["']?([A-Za-z0-9+/=]{100,10000})/g],
  ['Linear', 'lin_', /(?<!\w)lin_(?:api|oauth)_([A-Za-z0-9]{32,64})(?!\w)/g],
  ['Mailchimp', '-us', /(?<!\w)([0-9a-f]{32})-us\d{1,2}(?!\w)/g],
  ['Notion', 'ntn_', /(?<!\w)ntn_(\d{11}[A-Za-z0-9]{35})(?!\w)/g],
  ['Shopify', 'shp', /(?<!\w)shp(?:at|ca|pa|ss)_([0-9a-fA-F]{32})(?!\w)/g],
  ['Tailscale', 'tskey-', /(?<!\w)tskey-[a-z]{3,10}-([A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40})(?!\w)/g],
  ['Telegram', ':aa', /(?<![\w:])\d{8,10}:AA([\w-]{33})(?![\w-])/g],
  ['Twilio', 'sk', /(?<!\w)SK([0-9a-f]{32})(?!\w)/g],
  ['Vault', 'hv', /(?<!\w)hv[sbr]\.([\w-]{24,300})(?![\w-])/g],
]

/** Keys and passwords, in the formats that their issuers publish; checksums are verified where there is one. */
export const secretRules: TextRule[] = [
  {
    code: 'PRIVATE_KEY',
    severity: 'block',
    needles: ['private key'],
    pattern: /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----((?:(?!-----)[\s\S]){0,400})/g,
    message: `A private key. ${removeAndRevoke}`,
    // documentation of the format contains no key
    judge: ([, content = '']) => (/[A-Za-z0-9+/]{40}/.test(content) ? 'block' : null),
  },
  token('AWS_KEY', 'An AWS access key', ['akia', 'asia'], /(?<![\w-])(?:AKIA|ASIA)([A-Z2-7]{16})(?![\w-])/g),
  token(
    'AWS_SECRET',
    'An AWS secret access key',
    ['secret_access_key', 'secretaccesskey', 'secret_accesskey', 'secretaccess_key'],
    /secret_?access_?key["'`]?\s{0,5}[:=]\s{0,5}["'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  ),
  token(
    'GITHUB_TOKEN',
    'A GitHub token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    /(?<!\w)gh[pousr]_([A-Za-z0-9]{36,255})/g,
    secret => (hasValidChecksum(secret, secret.slice(0, -6), 36) ? 'block' : 'warn'),
  ),
  token('GITHUB_TOKEN', 'A GitHub token', ['github_pat_'], /(?<!\w)github_pat_(\w{22}_\w{59})(?!\w)/g),
  token('GITLAB_TOKEN', 'A GitLab token', ['glpat-'], /(?<![\w-])glpat-([\w-]{20,64})(?![\w-])/g),
  token('NPM_TOKEN', 'An npm token', ['npm_'], /(?<!\w)npm_([A-Za-z0-9]{36})(?!\w)/g, secret =>
    hasValidChecksum(secret, secret.slice(0, -6), 36) ? 'block' : 'warn',
  ),
  token('PYPI_TOKEN', 'A PyPI token', ['pypi-ageichlwas5vcmc'], /pypi-AgEIcHlwaS5vcmc([\w-]{50,250})/g),
  {
    code: 'PATIO_TOKEN',
    severity: 'block',
    needles: ['patio_'],
    pattern: /(?<![A-Za-z0-9])patio_(?:app|pat|scim|sign|portal_session|portal)_[0-9A-Za-z]{73}(?!\w)/g,
    message: `A key, token or link of this product. ${removeAndRevoke}`,
    judge: ([secret]) => (hasValidChecksum(secret, secret.slice(0, -6), secret.length) ? 'block' : null),
  },
  {
    code: 'PATIO_LINK',
    severity: 'block',
    needles: ['.'],
    // an invoice and its secret, or an organization, an authorization and its seal
    pattern: /(?<![\w-])c[0-9a-z]{24}\.(?:c[0-9a-z]{24}\.)?([\w-]{43})(?![\w-])/g,
    message: `The secret of a link to pay an invoice or to enter a card. ${removeAndRevoke}`,
    judge: ([, secret = '']) => (isPlaceholder(secret) ? null : 'block'),
  },
  token(
    'OPENAI_KEY',
    'An OpenAI key',
    ['t3blbkfj'],
    /(?<![\w-])sk-([\w-]{20,110}T3BlbkFJ[\w-]{20,110})(?![\w-])/g,
  ),
  token(
    'ANTHROPIC_KEY',
    'An Anthropic key',
    ['sk-ant-'],
    /(?<![\w-])sk-ant-([a-z0-9]{3,12}-[\w-]{80,120})(?![\w-])/g,
  ),
  token('HUGGING_FACE_TOKEN', 'A Hugging Face token', ['hf_'], /(?<!\w)hf_([A-Za-z]{34})(?!\w)/g),
  token('GOOGLE_SECRET', 'A Google client secret', ['gocspx-'], /(?<![\w-])GOCSPX-([\w-]{28})(?![\w-])/g),
  {
    ...token('GOOGLE_KEY', 'A Google key', ['aiza'], /(?<![\w-])AIza([\w-]{35})(?![\w-])/g, () => 'warn'),
    message: 'A Google key. Remove it, or make sure that it is restricted to public use.',
  },
  token(
    'SLACK_TOKEN',
    'A Slack token',
    ['xox', 'xapp-'],
    /(?<![\w-])(?:xox[abeoprs]|xapp-\d)-((?:[A-Z0-9]{9,14}-){1,3}[A-Za-z0-9]{20,64})(?!\w)/g,
  ),
  token(
    'SLACK_WEBHOOK',
    'The address of a Slack webhook',
    ['hooks.slack.com/services/'],
    /hooks\.slack\.com\/services\/T\w{8,12}\/B\w{8,12}\/(\w{24})(?!\w)/g,
  ),
  token(
    'STRIPE_KEY',
    'A live Stripe key',
    ['sk_live_', 'rk_live_'],
    /(?<!\w)[sr]k_live_([0-9A-Za-z]{16,200})(?!\w)/g,
  ),
  token(
    'STRIPE_TEST_KEY',
    'A Stripe test key',
    ['sk_test_', 'rk_test_', 'whsec_'],
    /(?<!\w)(?:[sr]k_test_|whsec_)([0-9A-Za-z]{16,200})(?!\w)/g,
    () => 'warn',
  ),
  token('SENDGRID_KEY', 'A SendGrid key', ['sg.'], /(?<![\w-])SG\.([\w-]{22}\.[\w-]{43})(?![\w-])/g),
  token('AZURE_KEY', 'An Azure account key', ['accountkey='], /AccountKey=([A-Za-z0-9+/]{86})==/g),
  ...services.map(([name, needle, pattern]) => token('SERVICE_KEY', `A key of ${name}`, [needle], pattern)),
  {
    code: 'JWT',
    severity: 'warn',
    needles: ['eyj'],
    pattern: /(?<![\w-])(eyJ[\w-]{10,1000})\.eyJ[\w-]{10,4000}\.[\w-]{20,1000}/g,
    message: `A signed token (JWT). ${removeAndRevoke}`,
    judge: ([, header = '']) => (isJwtHeader(header) ? 'warn' : null),
  },
  {
    code: 'PASSWORD_IN_ADDRESS',
    severity: 'warn',
    needles: ['://'],
    pattern: /:\/\/[^\s/:@"'`<>]{1,64}:([^\s/:@"'`<>]{6,100})@/g,
    message: 'A URL with a password. Let the user configure it, and change the password.',
    judge: ([, password = '']) => (isPlaceholder(password) ? null : 'warn'),
  },
  {
    code: 'SECRET_ASSIGNED',
    severity: 'warn',
    needles: [
      'secret',
      'token',
      'passw',
      'pwd',
      'apikey',
      'api_key',
      'api-key',
      'credential',
      'contrase',
      'clave',
    ],
    pattern:
      /(?:secret|token|passwo?r?d|pwd|api[_-]?key|credential|contrase(?:ñ|n)a|clave)[\w-]{0,20}["'`]?\s{0,5}(?:=>|:=|=|:)\s{0,5}["'`]?([A-Za-z0-9+/_=.~-]{20,200})/gi,
    message: `This value looks like a secret. If it is one: ${removeAndRevoke.toLowerCase()}`,
    judge: ([, value = '']) => (isRandom(value) && !isPlaceholder(value) ? 'warn' : null),
  },
]

/** A rule for keys of a known format. The first group of the pattern is the secret part. */
function token(
  code: string,
  what: string,
  needles: readonly string[],
  pattern: RegExp,
  judge: (secret: string) => FindingSeverity | null = () => 'block',
): TextRule {
  return {
    code,
    severity: 'block',
    needles,
    pattern,
    message: `${what}. ${removeAndRevoke}`,
    judge: ([, secret = '']) => (isPlaceholder(secret) ? null : judge(secret)),
  }
}

/** True for placeholders that documents use instead of a secret. */
function isPlaceholder(text: string): boolean {
  return (
    new Set(text).size < 6 ||
    /example|placeholder|changeme|your[_-]|xxxxx|\*\*\*|^\$|^[{%[]|^(?:my|the)?_?(?:password|secret|token|contraseña)$/i.test(
      text,
    )
  )
}

/** True for a random mix of letters and digits: at least 3.5 bits per character. */
function isRandom(text: string): boolean {
  if (!/\d/.test(text) || !/[a-z]/i.test(text)) return false
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits >= 3.5
}

/** True if the last six characters are the CRC32 of the others in base 62, as in tokens of GitHub, npm and Patio. */
function hasValidChecksum(text: string, summed: string, length: number): boolean {
  if (text.length !== length) return false
  let sum = ''
  for (let rest = crc32(summed); rest > 0; rest = Math.floor(rest / 62)) sum = digits[rest % 62] + sum
  return sum.padStart(6, '0') === text.slice(-6)
}
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function isJwtHeader(encoded: string): boolean {
  return Buffer.from(encoded, 'base64url').toString('latin1').includes('"alg"')
}

import { filtered, isSecretKey } from './keys.ts'

/** What stands for a masked address or number. The fingerprint knows these words. */
export const maskedEmail = '[email]'
export const maskedCard = '[card]'

/**
 * Takes secrets out of a text, and masks e-mail addresses: private keys, passwords in addresses, bearer and basic
 * credentials, JSON web tokens, keys of well-known services and of this one, values beside secret names, card numbers.
 * Time is bounded by the length of the text: every pattern is.
 */
export function scrubText(text: string): string {
  let clean = text
  if (clean.includes('-----BEGIN ')) clean = withoutPem(clean)
  if (clean.includes('://') && clean.includes('@')) clean = clean.replace(inAddress, `$1${filtered}@`)
  if (/bearer|basic/i.test(clean)) clean = clean.replace(afterScheme, credential)
  if (clean.includes('eyJ')) clean = clean.replace(webToken, filtered)
  clean = clean.replace(wellKnown, filtered)
  if (/[=:]/.test(clean)) clean = withoutNamed(clean)
  if (/\d{4}/.test(clean)) clean = clean.replace(cardLike, number => (isCard(number) ? maskedCard : number))
  return clean.includes('@') ? withoutEmails(clean) : clean
}

const inAddress = /(?<![a-z\d+.-])([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/@:]{0,100}:[^\s/@]{1,200}@/gi
const afterScheme = /\b(bearer|basic)(\s{1,3})([\w.~+/=-]{8,4096})/gi
const webToken = /\beyJ[\w-]{5,4096}\.[\w-]{5,8192}(?:\.[\w-]{0,2048})?/g
const wellKnown = new RegExp(
  [
    '[spr]k_(?:live|test)_\\w{8,200}',
    'gh[pousr]_\\w{16,255}',
    'github_pat_\\w{20,255}',
    'xox[abeoprs]-[\\w-]{10,255}',
    'AKIA[0-9A-Z]{16}',
    'AIza[\\w-]{30,60}',
    'glpat-[\\w-]{16,100}',
    'npm_\\w{30,60}',
    'whsec_[\\w+/=-]{16,255}',
    'sk-[\\w-]{20,255}',
    'patio_[a-z]{3,6}_\\w{20,255}',
  ]
    .map(form => `\\b${form}`)
    .join('|'),
  'g',
)
const named = /(?<![\w.-])([A-Za-z][\w.-]{0,60})["']?\s{0,3}[=:]\s{0,3}/g
const valued = /"[^"\n]{0,1000}"|'[^'\n]{0,1000}'|[^\s,;&"'()[\]{}<>]{1,1000}/y
// a cookie has parts, each with a name of its own
const ofCookie = /\[filtered\]|"[^"\n]{0,4000}"|'[^'\n]{0,4000}'|[^\r\n"']{1,4000}/y
const cardLike = /(?<![\w.-])\d(?:[ -]?\d){14,18}(?![\w-]|\.\d)/g

function credential(whole: string, scheme: string, space: string, value: string): string {
  // "basic authentication" is no credential
  const isPlain = /^[a-z-]{1,30}[.,:]?$/i.test(value) && !/[a-z][A-Z]/.test(value)
  return isPlain ? whole : `${scheme}${space}${filtered}`
}

/** Values that stand beside a secret name: `token=…`, `"password": "…"`. */
function withoutNamed(text: string): string {
  let clean = ''
  let at = 0
  named.lastIndex = 0
  for (let found = named.exec(text); found; found = named.exec(text)) {
    // what stands beside a name that is not secret may itself be such a pair
    if (!isSecretKey(found[1]!)) continue
    const form = /cookies?$/i.test(found[1]!) ? ofCookie : valued
    form.lastIndex = named.lastIndex
    const [value] = form.exec(text) ?? []
    if (value === undefined || /^(?:undefined|null|true|false|\/\/.*)$/.test(value)) continue
    clean += text.slice(at, named.lastIndex) + filtered
    at = form.lastIndex
    named.lastIndex = at
  }
  return clean + text.slice(at)
}

function withoutPem(text: string): string {
  let clean = ''
  let at = 0
  for (;;) {
    const from = text.indexOf('-----BEGIN ', at)
    if (from === -1) return clean + text.slice(at)
    const end = text.indexOf('-----END ', from)
    const last = end === -1 ? -1 : text.indexOf('-----', end + 9)
    clean += text.slice(at, from) + filtered
    if (last === -1) return clean
    at = last + 5
  }
}

/** Of a brand by its first digits and length, with a right check digit. Timestamps and most ids are not. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  const isBrand =
    /^(?:4(?:\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|4|5|2)\d{12,13})$/.test(digits)
  if (!isBrand) return false
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const isLocal = (code: number) =>
  isAlnum(code) || code === 46 || code === 95 || code === 37 || code === 43 || code === 45
const isDomain = (code: number) => isAlnum(code) || code === 46 || code === 45
function isAlnum(code: number): boolean {
  return (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123)
}

function withoutEmails(text: string): string {
  let clean = ''
  let at = 0
  for (let sign = text.indexOf('@'); sign !== -1; sign = text.indexOf('@', sign + 1)) {
    let from = sign
    while (from > at && sign - from < 64 && isLocal(text.charCodeAt(from - 1))) from--
    let to = sign + 1
    while (to < text.length && to - sign < 255 && isDomain(text.charCodeAt(to))) to++
    while (to > sign + 1 && !isAlnum(text.charCodeAt(to - 1))) to--
    const domain = text.slice(sign + 1, to)
    const top = domain.lastIndexOf('.')
    if (from === sign || top < 1 || !/^[a-z]{2,24}$/i.test(domain.slice(top + 1))) continue
    clean += text.slice(at, from) + maskedEmail
    at = to
  }
  return clean + text.slice(at)
}

import { fold } from '#platform/fold.ts'

/** Replaces a removed value. */
export const filtered = '[filtered]'

// a field name that contains one of these words is secret
const secretWords = new Set(
  `password passwords passwd passphrase passcode pwd secret secrets token tokens authorization auth credential
   credentials cookie cookies bearer jwt apikey apikeys privatekey accesskey secretkey cvv cvc pin otp ssn csrf xsrf dsn
   contraseña contraseñas contrasena contrasenas contrasenya dni nie iban`.split(/\s+/),
)
const secretPairs = new Set(
  `api key,private key,access key,secret key,signing key,encryption key,account key,session id,session key,card number,
   security code,account number,connection string,auth code,authorization code,code verifier`
    .split(',')
    .map(pair => pair.trim()),
)
// a field name that ends with one of these words is secret: `requestSignature`, but not `sessionCount`
const secretLastWords = new Set(['session', 'signature', 'sig', 'sid', 'clave', 'claves', 'connectionstring'])
// endings of names in one word: `PGPASSWORD`, `accesstoken`
const secretSuffixes = ['password', 'passwd', 'token', 'secret', 'apikey', 'sessionid']
const longestKey = 200

/** Secret field names of an organization, as normalizeSecretNames returns them. */
export type CustomSecretNames = ReadonlySet<string>
export const noCustomNames: CustomSecretNames = new Set()

/** Case, accents, spaces and punctuation between words are ignored in comparisons. */
export function normalizeSecretNames(names: readonly string[]): CustomSecretNames {
  return new Set(names.map(name => fold(wordsOf(name).join(''))))
}

const maxCached = 4_096
const maxCachedLength = 64
const cache = new Map<string, boolean>()

/** True if the field name marks a secret value. Compares whole words: `author` does not match `auth`. */
export function isSecretKey(key: string, customNames: CustomSecretNames = noCustomNames): boolean {
  if (customNames.size > 0) return hasSecretWords(wordsOf(key), customNames)
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const isSecret = hasSecretWords(wordsOf(key), customNames)
  if (key.length <= maxCachedLength) {
    if (cache.size >= maxCached) cache.clear()
    cache.set(key, isSecret)
  }
  return isSecret
}

function hasSecretWords(words: readonly string[], customNames: CustomSecretNames): boolean {
  return (
    secretLastWords.has(words.at(-1) ?? '') ||
    words.some(
      (word, at) =>
        secretWords.has(word) ||
        secretPairs.has(`${word} ${words[at + 1] ?? ''}`) ||
        secretSuffixes.some(end => word.endsWith(end)),
    ) ||
    (customNames.size > 0 && words.some((_, at) => customNames.has(fold(words.slice(at).join('')))))
  )
}

function wordsOf(key: string): string[] {
  return key
    .slice(0, longestKey)
    .replace(/%C3%B1|\\u00f1/gi, 'ñ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

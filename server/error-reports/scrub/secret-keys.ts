import { fold } from '#platform/fold.ts'

/** What stands for a value that was taken out. */
export const filtered = '[filtered]'

// a field with one of these words in its name is secret
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
// a field that ends with one of these: `requestSignature`, but not `sessionCount`
const secretLastWords = new Set(['session', 'signature', 'sig', 'sid', 'clave', 'claves', 'connectionstring'])
// names that are written as one word: `PGPASSWORD`, `accesstoken`
const secretSuffixes = ['password', 'passwd', 'token', 'secret', 'apikey', 'sessionid']
const longestKey = 200

/** Names of fields that an organization wants out of its reports, as `namesOf` makes them. */
export type CustomSecretNames = ReadonlySet<string>
export const noCustomNames: CustomSecretNames = new Set()

/** Names as they are compared: capitals, accents, spaces and signs between their words make no difference. */
export function normalizeSecretNames(names: readonly string[]): CustomSecretNames {
  return new Set(names.map(name => fold(wordsOf(name).join(''))))
}

const maxCached = 4_096
const maxCachedLength = 64
const cache = new Map<string, boolean>()

/** True when the name of a field says that its value is secret. Looks at whole words: `author` is not `auth`. */
export function isSecretKey(key: string, customNames: CustomSecretNames = noCustomNames): boolean {
  if (customNames.size > 0) return hasSecretWords(wordsOf(key), customNames)
  // the same names come again and again
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

/** What stands for a value that was taken out. */
export const filtered = '[filtered]'

const secretWords = new Set(
  `password passwd passphrase passcode pwd secret secrets token tokens authorization auth credential credentials cookie
   cookies bearer jwt apikey privatekey accesskey secretkey cvv cvc pin otp ssn`.split(/\s+/),
)
const secretPairs = new Set(
  'api key,private key,access key,secret key,signing key,encryption key,session id,session key,card number,security code,account number'.split(
    ',',
  ),
)
const longestKey = 200

/** True when the name of a field says that its value is secret. Looks at whole words: `author` is not `auth`. */
export function isSecretKey(key: string): boolean {
  const words = key
    .slice(0, longestKey)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word, at) => secretWords.has(word) || secretPairs.has(`${word} ${words[at + 1] ?? ''}`))
}

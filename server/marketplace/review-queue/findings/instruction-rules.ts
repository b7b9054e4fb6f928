import type { TextRule } from './finding.rules.ts'

const reviewHint = 'Reviewers examine this closely.'
const shell = '(?:sudo\\s{1,3}(?:-\\w{1,3}\\s{1,3})?)?(?:(?:ba|z|da|k|fi)?sh|python3?|node|perl|ruby|php)\\b'

/** Suspicious instructions and commands. Only a person can judge their intent, so none of them blocks. */
export const instructionRules: TextRule[] = [
  {
    code: 'OVERRIDES_INSTRUCTIONS',
    severity: 'warn',
    needles: ['ignore', 'disregard', 'forget', 'override', 'bypass'],
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\s{1,3}(?:[\w']{1,15}\s{1,3}){0,4}?(?:previous|prior|above|earlier|preceding|system|original)\s{1,3}(?:\w{1,15}\s{1,3}){0,2}?(?:instructions?|prompts?|rules|guidelines|directions)\b/gi,
    message: `Tells the model to ignore its instructions. Describe the wanted behaviour instead. ${reviewHint}`,
  },
  {
    code: 'OVERRIDES_INSTRUCTIONS',
    severity: 'warn',
    needles: ['ignor', 'olvid', 'omit', 'descart', 'desobede'],
    pattern:
      /(?<!\p{L})(?:ignor(?:a|e|ar|en)|olvid(?:a|e|ar|en)|omit(?:e|a|ir)|descart(?:a|e|ar)|desobede(?:ce|zca|cer))\s{1,3}(?:\p{L}{1,15}\s{1,3}){0,4}?(?:(?:instrucciones|indicaciones|reglas|órdenes|directrices)\s{1,3}(?:\p{L}{1,15}\s{1,3}){0,2}?(?:anteriores|previas|originales|iniciales|sistema)|(?:anteriores|previas|originales)\s{1,3}(?:instrucciones|indicaciones|reglas|órdenes|directrices))(?!\p{L})/giu,
    message: `Tells the model to ignore its instructions. Describe the wanted behaviour instead. ${reviewHint}`,
  },
  {
    code: 'HIDES_FROM_USER',
    severity: 'warn',
    needles: ['user'],
    pattern:
      /\b(?:(?:do not|don't|don’t|never)\s{1,3}(?:ever\s{1,3})?(?:tell|inform|alert|notify|warn)\s{1,3}(?:the|your)\s{1,3}user|without\s{1,3}(?:telling|informing|alerting|notifying|asking)\s{1,3}(?:the|your)\s{1,3}user)\b/gi,
    message: `Tells the model to hide something from its user. ${reviewHint}`,
  },
  {
    code: 'HIDES_FROM_USER',
    severity: 'warn',
    needles: ['usuario', 'usuaria'],
    pattern:
      /(?<!\p{L})(?:(?:no|nunca)\s{1,3}(?:se\s{1,3})?(?:lo\s{1,3})?(?:le\s{1,3})?(?:digas?|informes?|avises?|cuentes?|reveles?|menciones?)\s{1,3}(?:\p{L}{1,12}\s{1,3}){0,3}?(?:al|a la)\s{1,3}usuari[oa]|sin\s{1,3}(?:que\s{1,3}lo\s{1,3}sepa\s{1,3}el|avisar\s{1,3}al|informar\s{1,3}al|decírselo\s{1,3}al|preguntar\s{1,3}al)\s{1,3}usuari[oa])(?!\p{L})/giu,
    message: `Tells the model to hide something from its user. ${reviewHint}`,
  },
  {
    code: 'SENDS_SECRETS',
    severity: 'warn',
    needles: ['://'],
    pattern:
      /(?<!\p{L})(?:send|post|upload|transmit|exfiltrate|forward|leak|env[ií]a\p{L}{0,3}|sube|subir|reenv[ií]a\p{L}{0,3}|transmite|filtra)(?!\p{L})[^\n]{0,1000}/giu,
    message: `Tells the model to send secrets or conversations to an address. ${reviewHint}`,
    judge: ([line]) => {
      const [, afterSecret] = splitAfter(line, sensitive)
      return afterSecret !== undefined && /https?:\/\//i.test(afterSecret) ? 'warn' : null
    },
  },
  {
    code: 'SENDS_SECRETS',
    severity: 'warn',
    needles: ['curl', 'wget', 'invoke-webrequest', 'invoke-restmethod'],
    pattern: /\b(?:curl|wget|invoke-webrequest|invoke-restmethod)\b(?:[^\n\\]|\\[\s\S]){0,2000}/gi,
    message: `A command that sends keys, variables or files of the user to an address. ${reviewHint}`,
    judge: ([line]) => {
      const [, sent] = splitAfter(
        line,
        /\s(?:-d|--data[\w-]{0,12}|-F|--form|-T|--upload-file|--post-data|--post-file|-Body)[\s=]/i,
      )
      return sent !== undefined && ownData.test(sent) ? 'warn' : null
    },
  },
  {
    code: 'DATA_IN_IMAGE_ADDRESS',
    severity: 'warn',
    needles: ['!['],
    pattern: /!\[[^[\]\n]{0,200}\]\(https?:\/\/([^)\n]{1,1000})/gi,
    message: `An image whose URL the model fills in, which sends the data when the image is shown. ${reviewHint}`,
    judge: ([, address = '']) => (/[?&=/](?:\{\{?|\$\{|<|\[|%7B)[^)\s]{1,80}/i.test(address) ? 'warn' : null),
  },
  {
    code: 'RUNS_WHAT_IT_DOWNLOADS',
    severity: 'warn',
    needles: ['curl', 'wget'],
    pattern: /\b(?:curl|wget)\b(?:[^\n\\]|\\[\s\S]){0,2000}/gi,
    message:
      'Runs downloaded code, which can change at any time. Include the program in the package instead.',
    judge: ([line]) => (piped.test(line) ? 'warn' : null),
  },
  {
    code: 'RUNS_WHAT_IT_DOWNLOADS',
    severity: 'warn',
    needles: ['$(curl', '$(wget', '<(curl', '<(wget', '$( curl', '<( curl', '`curl', '`wget'],
    pattern: /\b(?:(?:ba|z|da|k)?sh|source|eval|python3?)\b[^\n]{0,20}(?:[<$]\(\s?|`)(?:curl|wget)\b/gi,
    message:
      'Runs downloaded code, which can change at any time. Include the program in the package instead.',
  },
  {
    code: 'RUNS_WHAT_IT_DOWNLOADS',
    severity: 'warn',
    needles: ['iex', 'invoke-expression'],
    pattern: /\b(?:iex|irm|iwr|invoke-(?:expression|webrequest|restmethod)|downloadstring)\b[^\n]{0,300}/gi,
    message:
      'Runs downloaded code, which can change at any time. Include the program in the package instead.',
    judge: ([line]) =>
      /\b(?:iex|invoke-expression)\b/i.test(line) &&
      /\b(?:irm|iwr|invoke-webrequest|invoke-restmethod|downloadstring)\b/i.test(line)
        ? 'warn'
        : null,
  },
  {
    code: 'RUNS_HIDDEN_CODE',
    severity: 'warn',
    needles: ['base64'],
    pattern: /\bbase64\b[^\n]{0,1000}/gi,
    message: 'Runs encoded code that nobody can review. Include it in plain text.',
    judge: ([line]) => (/^base64\s{1,3}(?:-d|-D|--decode)\b/.test(line) && piped.test(line) ? 'warn' : null),
  },
  {
    code: 'RUNS_HIDDEN_CODE',
    severity: 'warn',
    needles: ['atob', 'b64decode', '-enc', 'frombase64'],
    pattern:
      /\b(?:eval|exec|function)\s?\(\s{0,3}(?:[\w.]{0,20}\(\s{0,3})?(?:atob|base64\.b64decode|b64decode|buffer\.from)\b|\bpowershell(?:\.exe)?\s{1,3}(?:-\w{1,20}\s{1,3}(?:\w{1,20}\s{1,3})?){0,4}?-e(?:nc|ncodedcommand)?\s{1,3}[A-Za-z0-9+/=]{16}/gi,
    message: 'Runs encoded code that nobody can review. Include it in plain text.',
  },
  {
    code: 'DELETES_EVERYTHING',
    severity: 'warn',
    needles: ['rm '],
    pattern:
      /\brm\s{1,3}((?:-{1,2}[\w-]{1,25}\s{1,3}){1,4})["']?(?:\/|~\/?|\$\{?HOME\}?\/?)\*?(?=[\s"'`;&|)]|$)/gm,
    message: 'Deletes the home folder or the whole machine. Name a specific folder.',
    judge: ([, flags = '']) => (/-\w{0,10}r|--recursive/i.test(flags) ? 'warn' : null),
  },
  {
    code: 'DELETES_EVERYTHING',
    severity: 'warn',
    needles: ['mkfs', 'of=/dev/', ':(){'],
    pattern:
      /\bmkfs(?:\.\w{1,8})?\s{1,3}\/dev\/|\bdd\s[^\n]{0,80}of=\/dev\/(?:sd|nvme|hd|disk)|:\(\)\s?\{\s?:\s?\|\s?:/g,
    message: 'Destroys the disk or the session of the user. Remove it.',
  },
  {
    code: 'READS_SECRETS',
    severity: 'warn',
    needles: ['.ssh', '.aws', '.gnupg', '.kube', '.netrc', '.npmrc', '.docker', 'history', 'gcloud'],
    pattern:
      /(?:~|\$\{?HOME\}?|\/root|\/home\/[\w.-]{1,32}|\/Users\/[\w.-]{1,32}|%USERPROFILE%)[/\\]\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|config[/\\]gcloud|(?:bash|zsh)_history)\b/gi,
    message: `Names a path where people store their keys. ${reviewHint}`,
  },
  {
    code: 'READS_SECRETS',
    severity: 'warn',
    needles: ['.env'],
    pattern:
      /(?<!\p{L})(?:cat|less|more|head|tail|source|cp|scp|grep|read|open|print|lee|leer|abre|abrir|imprime|copia|muestra)\s{1,3}(?:[\p{L}\p{N}"'`~-]{1,20}\s{1,3}){0,3}?["'`]?(?:[\w~.$-]{0,40}\/){0,4}\.env(?![\p{L}\p{N}_-]|\.(?:example|sample|template|dist|ejemplo))/giu,
    message: `Reads a file where people store passwords. ${reviewHint}`,
  },
]

const sensitive =
  /\b(?:api[ _-]?keys?|credentials?|passwords?|secrets?|tokens?|env(?:ironment)?[ _-]variables?|cookies|conversation|chat history|system prompt|claves?|contraseñas?|credenciales|secretos|variables de entorno|conversación|historial)/iu
/** Data of the machine that a command reads. */
const ownData =
  /\$\(|`|\$\{?[A-Z_]{0,30}(?:KEY|TOKEN|SECRET|PASSWORD)|@?(?:~|\$HOME)\/\.|\.env\b|\/etc\/passwd/i
const piped = new RegExp(`\\|\\s{0,5}(?:\\\\\\s{0,5})?${shell}`, 'i')

/** The text before and after the first match. */
function splitAfter(text: string, pattern: RegExp): [string, string?] {
  const match = pattern.exec(text)
  return match ? [text.slice(0, match.index), text.slice(match.index + match[0].length)] : [text]
}

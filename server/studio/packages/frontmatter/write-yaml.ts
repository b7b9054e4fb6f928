/** Words that some YAML parser does not read as a string. */
const words = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf|e[-+]?\d+)$/i
const plain =
  /^[A-Za-z\p{L}](?:[\p{L}\p{M}\p{N} _.,;()'"!?/+*@=&%$€–—-]*[\p{L}\p{M}\p{N}_.,;()'"!?/+*@=&%$€–—-])?$/u
const plainKey = /^[A-Za-z_][A-Za-z0-9_.-]*$/
/** Longer keys need the explicit key indicator `?`. YAML 1.2, 7.4.2. */
const longestKey = 1_000

/**
 * A JSON object as YAML, one line per field, ending with a line break; empty for an empty object. It uses block style and
 * quotes every string that some parser might read as another type, so that strict parsers accept it. It never contains
 * `---`, at which simple readers split. Equal objects in equal order give equal text.
 */
export function writeYaml(value: Record<string, unknown>): string {
  return linesOf(value)
    .map(line => `${line}\n`)
    .join('')
}

function linesOf(value: object): string[] {
  if (Array.isArray(value)) return value.flatMap(item => nested('- ', '  ', item))
  return Object.entries(value).flatMap(([key, field]) => {
    const name = plainKey.test(key) && isText(key) ? key : quoted(key)
    if (name.length <= longestKey) return fieldLines(`${name}:`, field)
    return [`? ${name}`, ...fieldLines(':', field)]
  })
}

function fieldLines(name: string, field: unknown): string[] {
  if (!isFilled(field)) return [`${name} ${scalar(field)}`]
  return [name, ...linesOf(field).map(line => `  ${line}`)]
}

function nested(first: string, others: string, item: unknown): string[] {
  if (!isFilled(item)) return [`${first}${scalar(item)}`]
  return linesOf(item).map((line, index) => `${index === 0 ? first : others}${line}`)
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function scalar(value: unknown): string {
  if (Array.isArray(value)) return '[]'
  if (typeof value === 'object' && value !== null) return '{}'
  if (typeof value !== 'string') return String(value)
  return plain.test(value) && isText(value) ? value : quoted(value)
}

function isText(value: string): boolean {
  return !words.test(value) && !value.includes('---')
}

/** In double quotes. Escapes unprintable characters, and a dash of `---`. */
function quoted(value: string): string {
  return JSON.stringify(value)
    .replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, char => escaped(char))
    .replace(/--(?=-)/g, `-${escaped('-')}`)
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

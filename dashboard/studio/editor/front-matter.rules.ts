/** A field of front matter at its top level. */
export type Field = {
  key: string
  /** The value of a field that is one text, number or word; undefined for lists, objects and long texts. */
  value: string | undefined
  /** The lines of the field as they are written. */
  source: string
}

const keyLine = /^([A-Za-z_][\w.-]*|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*:(?:[ \t]+(.*))?$/

/**
 * The fields of front matter, line by line. Comments, the order of fields and what a form does not understand stay in
 * the text, because a form changes only the line of its field.
 */
export function fieldsOf(yaml: string): Field[] {
  return blocksOf(yaml).flatMap(({ key, lines }) =>
    key === undefined ? [] : [{ key, value: valueIn(lines), source: lines.join('\n') }],
  )
}

/** The front matter with another value of a field; an empty value removes its line. A new field is the last one. */
export function withField(yaml: string, key: string, value: string): string {
  const blocks = blocksOf(yaml)
  const block = blocks.find(one => one.key === key)
  if (!block) {
    if (value === '') return yaml
    const end = yaml === '' || yaml.endsWith('\n') ? '' : '\n'
    return `${yaml}${end}${key}: ${scalarOf(value)}\n`
  }
  const [first = '', ...others] = block.lines
  const comment = commentIn(first)
  const line = `${key}: ${scalarOf(value)}${comment && ` ${comment}`}`
  block.lines = value === '' ? others : [line, ...others]
  return blocks.flatMap(({ lines }) => lines).join('\n')
}

type Block = { key: string | undefined; lines: string[] }

/** The lines of each field with what is indented below it; comments and blank lines between fields are blocks of their own. */
function blocksOf(yaml: string): Block[] {
  const blocks: Block[] = []
  for (const line of yaml.split('\n')) {
    const [, name] = keyLine.exec(line) ?? []
    const last = blocks.at(-1)
    if (name !== undefined) blocks.push({ key: unquoted(name), lines: [line] })
    else if (last?.key !== undefined && /^(?:[ \t]|- )/.test(line)) last.lines.push(line)
    else blocks.push({ key: undefined, lines: [line] })
  }
  return blocks
}

function valueIn([first = '', ...others]: readonly string[]): string | undefined {
  const [, , rest = ''] = keyLine.exec(first) ?? []
  const value = rest.slice(0, rest.length - commentIn(first).length).trim()
  if (others.length > 0 || /^[[{|>&*!%@`]/.test(value)) return undefined
  return unquoted(value)
}

/** The comment at the end of a line with a value, from its number sign. */
function commentIn(line: string): string {
  const [, , rest = ''] = keyLine.exec(line) ?? []
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(rest)?.[0] ?? ''
  const after = rest.slice(quoted.length)
  return /(?:^|[ \t])(#.*)$/.exec(after)?.[1] ?? ''
}

function unquoted(text: string): string {
  if (text.startsWith('"') && text.endsWith('"') && text.length > 1) {
    try {
      return String(JSON.parse(text))
    } catch {
      return text.slice(1, -1)
    }
  }
  if (text.startsWith("'") && text.endsWith("'") && text.length > 1)
    return text.slice(1, -1).replaceAll("''", "'")
  return text
}

/** A text as YAML in one line: plain where every reader takes it as it is, else in double quotes. */
function scalarOf(text: string): string {
  const value = text.replaceAll(/\s*\n\s*/g, ' ').trim()
  const isPlain = /^[\p{L}\p{N}_/.(](?:[^:#]|:(?! |$)|(?<! )#)*$/u.test(value) && !/[\s"'{}[\]]$/.test(value)
  return isPlain ? value : JSON.stringify(value)
}

type Params = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string'
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value)
const areTexts = (value: unknown) =>
  value === undefined || (typeof value === 'object' && value !== null && Object.values(value).every(isText))

const listed = { cursor: isTextOrAbsent }
const found = { uri: isText }
const known: Record<string, Record<string, (value: unknown) => boolean>> = {
  'prompts/list': listed,
  'prompts/get': { name: isText, arguments: areTexts },
  'resources/list': listed,
  'resources/templates/list': listed,
  'resources/read': found,
  'skills/list': listed,
  'skills/get': found,
}

/** The first parameter of a method that is not as the protocol has it. The SDK would call that an error of our own. */
export function wrongParam(method: string, params: Params = {}): string | undefined {
  const checks = Object.hasOwn(known, method) ? known[method]! : {}
  return Object.keys(checks).find(name => !checks[name]!(params[name]))
}

type Params = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string'
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value)
const areTexts = (value: unknown) =>
  value === undefined || (typeof value === 'object' && value !== null && Object.values(value).every(isText))

const listParams = { cursor: isTextOrAbsent }
const uriParams = { uri: isText }
const paramChecks: Record<string, Record<string, (value: unknown) => boolean>> = {
  'prompts/list': listParams,
  'prompts/get': { name: isText, arguments: areTexts },
  'resources/list': listParams,
  'resources/templates/list': listParams,
  'resources/read': uriParams,
  'skills/list': listParams,
  'skills/get': uriParams,
}

/** The first invalid parameter of a method. The SDK would report it as an internal error. */
export function findInvalidParam(method: string, params: Params = {}): string | undefined {
  const checks = Object.entries((Object.hasOwn(paramChecks, method) && paramChecks[method]) || {})
  return checks.find(([name, isValid]) => !isValid(params[name]))?.[0]
}

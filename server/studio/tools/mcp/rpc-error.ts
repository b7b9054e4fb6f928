/** What is wrong with a call, told to the client as JSON-RPC does. Codes: https://www.jsonrpc.org/specification. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Refuses a call for its parameters, among them what does not exist. */
export function refuseParams(message: string, data?: unknown): never {
  throw new RpcError(-32_602, message, data)
}

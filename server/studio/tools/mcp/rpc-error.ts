/** An error that the client receives as a JSON-RPC error. Codes: https://www.jsonrpc.org/specification. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Rejects a call with the code for invalid parameters, which also covers objects that do not exist. */
export function refuseParams(message: string, data?: unknown): never {
  throw new RpcError(-32_602, message, data)
}

import type { Input, Reply, Route } from '#contract/route.ts'
import { pathAt } from '#contract/route.ts'
import { CallError, type CallInput } from '#sdk/client.ts'
import { useOrganization } from './organization.tsx'
import { sessionToken } from './session.ts'

type UploadOptions = {
  form: FormData
  /** Between 0 and 1, as the bytes leave this computer. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

/**
 * Sends a form with files and tells the progress, which `fetch` does not know. Has no time limit: the server ends an
 * upload that stands still. Throws a CallError when the upload is refused.
 */
export function useUpload<R extends Route<unknown, unknown>>(
  operation: R,
): (input: Pick<CallInput<Input<R>>, never> & object, options: UploadOptions) => Promise<Reply<R>> {
  const { id } = useOrganization()
  return async (input, options) => {
    const path = addressOf(operation, input)
    let answer = await send(operation, path, await sessionToken(id), options)
    if (answer.status === 401) answer = await send(operation, path, await sessionToken(id, true), options)
    const isExpected =
      answer.status === operation.status || answer.status === operation.alternateReply?.status
    if (!isExpected) throw new CallError(answer)
    return answer.body as Reply<R>
  }
}

function addressOf(operation: Route, input: object): string {
  const { params = {}, query = {} } = input as Record<'params' | 'query', Record<string, unknown>>
  const path = pathAt('session', operation).replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
  return search === '' ? path : `${path}?${search}`
}

type Answer = ConstructorParameters<typeof CallError>[0]

function send(
  { method }: Route,
  path: string,
  token: string,
  { form, onProgress, signal }: UploadOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal?.addEventListener('abort', abort, { once: true })
    request.open(method, path)
    request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress?.(loaded / total)
    request.onabort = () => reject(signal?.reason)
    request.onerror = () => reject(new TypeError('The server cannot be reached'))
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    request.onload = () => {
      const { status, responseText: text } = request
      resolve({
        status,
        headers: new Headers(),
        body: jsonOf(text),
        text,
        bytes: new Uint8Array(),
      })
    }
    if (signal?.aborted) return reject(signal.reason)
    request.send(form)
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // a proxy in between answers without JSON
    return undefined
  }
}

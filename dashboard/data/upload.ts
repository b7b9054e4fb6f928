import { useCallback } from 'react'
import { type Input, pathAt, type Reply, type Route } from '#contract/route.ts'
import { CallError } from '#sdk/client.ts'
import { useOrganization } from './organization.tsx'
import { sessionToken } from './session.ts'

export type UploadOptions = {
  /** Between 0 and 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Sends files as multipart/form-data and reports the progress, which `fetch` cannot. */
export function useUpload<R extends Route<unknown, unknown>>(operation: R) {
  const { id } = useOrganization()
  return useCallback(
    async (
      params: Input<R> extends { params: infer Params } ? Params : never,
      form: FormData,
      options: UploadOptions,
    ): Promise<Reply<R>> => {
      const path = pathAt('session', operation).replace(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(String((params as Record<string, unknown>)[name])),
      )
      const answer = await send(path, await sessionToken(id), form, options)
      // the token expired on the way
      const last =
        answer.status === 401 ? await send(path, await sessionToken(id, true), form, options) : answer
      if (last.status !== operation.status) throw new CallError(last)
      return last.body as Reply<R>
    },
    [id, operation],
  )
}

type Sent = ConstructorParameters<typeof CallError>[0]

function send(
  path: string,
  token: string,
  form: FormData,
  { onProgress, signal }: UploadOptions,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const isJson = request.getResponseHeader('content-type')?.includes('json')
      const text = request.responseText
      resolve({
        status: request.status,
        headers: new Headers(),
        body: isJson && text ? JSON.parse(text) : undefined,
        text,
        bytes: new Uint8Array(),
      })
    }
    request.onerror = () => reject(new TypeError('The server cannot be reached'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

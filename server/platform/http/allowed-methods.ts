import type { FastifyInstance } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'

/**
 * Remembers the routes that are added to the app from now on, and returns which methods an address takes. Fastify knows
 * only whether a method and an address fit together: it would answer 404 for a wrong method.
 */
export function collectMethods(app: FastifyInstance, maxParamLength: number): (url: string) => string[] {
  const routes: { method: HTTPMethod; url: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    // preflights are answered for addresses that do not exist as well
    for (const one of [method].flat() as HTTPMethod[])
      if (one !== 'OPTIONS') routes.push({ method: one, url })
  })

  // made when the first wrong address is asked for
  let router: ReturnType<typeof findMyWay> | undefined
  function openRouter() {
    const made = findMyWay({ maxParamLength })
    for (const { method, url } of routes) made.on(method, url, () => {})
    return made
  }

  return url => {
    router ??= openRouter()
    const methods = [...new Set(routes.map(({ method }) => method))]
    return methods.filter(method => router?.find(method, url.split('?', 1)[0]!))
  }
}

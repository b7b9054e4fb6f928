import type { FastifyInstance } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'

/**
 * Collects the routes that are added from now on, and returns the methods that a URL supports. Fastify only
 * knows whether method and URL match, and would reply 404 to a wrong method.
 */
export function collectMethods(app: FastifyInstance, maxParamLength: number): (url: string) => string[] {
  const routes: { method: HTTPMethod; url: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    // preflights are answered for unknown URLs as well
    for (const one of [method].flat() as HTTPMethod[])
      if (one !== 'OPTIONS') routes.push({ method: one, url })
  })

  // created on the first unknown URL
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

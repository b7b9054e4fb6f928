import { useEffect, useState } from 'react'
import styles from './settings.module.css'

/** How long nobody types before a preview is read anew. */
const pauseMs = 400

/** An e-mail in a frame that runs no script, sends no form and opens nothing. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([withStyleElement(html)], { type: 'text/html;charset=utf-8' }))
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [html])
  if (address === undefined) return null
  return <iframe key={address} className={styles.mail} src={address} title={title} sandbox="" />
}

/**
 * The frame has the policy of the dashboard, which allows style elements with its nonce, and no style attributes. E-mails have
 * attributes, because mail programs need them. The server escapes quotation marks in texts, so each match is an attribute.
 */
function withStyleElement(html: string): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? ''
  const rules: string[] = []
  const body = html.replace(/ style="([^"]*)"/g, (_, style: string) => {
    rules.push(`[data-style="${rules.length}"]{${style}}`)
    return ` data-style="${rules.length - 1}"`
  })
  return body
    .replace('<style>', `<style nonce="${nonce}">`)
    .replace('</head>', `<style nonce="${nonce}">${rules.join('\n')}</style></head>`)
}

/** A value as it was when it last rested. */
export function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}

import { createElement, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** A table of what one request returns, and nothing else. */
function Page() {
  const [rows, setRows] = useState([])
  useEffect(() => {
    void fetch('/rows')
      .then(response => response.json())
      .then(setRows)
  }, [])
  const cells = row => Object.entries(row).map(([name, text]) => createElement('td', { key: name }, text))
  const lines = rows.map(row => createElement('tr', { key: row.id }, cells(row)))
  return createElement('table', null, createElement('tbody', null, lines))
}

createRoot(document.body).render(createElement(Page))

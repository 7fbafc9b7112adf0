import type { ReactNode } from "react";

export const metadata = { title: "My shop" };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ font: "16px/1.5 system-ui, sans-serif", margin: "2rem auto", maxWidth: 640 }}>
        <main>{children}</main>
      </body>
    </html>
  );
}

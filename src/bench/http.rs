//! What a server tells of its journal, on its page of figures.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::BenchError;
use crate::remote::Address;

/// The journal commit that one in a hundred exceeds, in microseconds; none where nothing was
/// committed.
pub async fn commit_p99_us(address: &Address) -> Result<Option<f64>, BenchError> {
    let mut stream = TcpStream::connect((address.host(), address.port())).await?;
    let host = address.host();
    let request = format!("GET /metrics HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(p99(&answer).map(|seconds| seconds * 1e6))
}

fn p99(page: &str) -> Option<f64> {
    let line = "hexhall_journal_commit_seconds{quantile=\"0.99\"} ";
    let seconds: f64 = page.lines().find_map(|it| it.strip_prefix(line))?.trim().parse().ok()?;
    (seconds > 0.0).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_of_the_page_tells_the_commit() {
        let page = "HTTP/1.1 200 OK\r\n\r\n# TYPE hexhall_journal_commit_seconds summary\n\
                    hexhall_journal_commit_seconds{quantile=\"0.95\"} 0.5\n\
                    hexhall_journal_commit_seconds{quantile=\"0.99\"} 0.00125\n";
        assert_eq!(p99(page), Some(0.00125));
        assert_eq!(p99("HTTP/1.1 404 Not Found\r\n\r\n"), None);
    }
}

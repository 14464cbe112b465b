package io.forewarn.acceptance.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import io.forewarn.acceptance.page.TerminalPrograms.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page prints, on loopback: only the address is another. */
// Takes more than 20 s: the samples are compiled, and every command starts a process.
class PageSamplesIT {
    private static final String GET =
            "curl -H Metadata:true http://169.254.169.254/metadata/scheduledevents?api-version=2017-03-01";
    private static final String POST =
            "curl -H Metadata:true -X POST -d '{\"DocumentIncarnation\":\"5\", \"StartRequests\": [{\"EventId\":"
                    + " \"f020ba2e-3bc0-4c40-a10b-86575a9eabd5\"}]}'"
                    + " http://169.254.169.254/metadata/scheduledevents?api-version=2017-03-01";
    private static ManualClockServer manualClockServer;

    @TempDir
    Path folder;

    @BeforeAll
    static void serve() {
        manualClockServer = ManualClockServer.onLoopback();
    }

    @AfterAll
    static void end() {
        manualClockServer.close();
    }

    @BeforeEach
    void nothingIsGoingOn() {
        manualClockServer.operator("clock", "advance", "1h");
        InstalledTools.need("curl");
        assertTrue(curl(GET, "127.0.0.1").out().endsWith("\"Events\":[]}"));
    }

    @Test
    void theCurlLinesAskAndApprove() {
        String id = manualClockServer.restart("frontend-0");
        String document = curl(GET, "127.0.0.2").out();
        assertTrue(document.contains("\"EventId\":\"" + id + "\",\"EventStatus\":\"Scheduled\""), document);
        Outcome unknown = curl(POST + " -s -o /dev/null -w %{http_code}", "127.0.0.1");
        assertEquals("400", unknown.out());
        Outcome approved = curl(POST.replace("f020ba2e-3bc0-4c40-a10b-86575a9eabd5", id), "127.0.0.1");
        assertEquals("", approved.out());
        assertTrue(curl(GET, "127.0.0.1").out().contains("\"EventStatus\":\"Started\""));
    }

    @Test
    void anotherMachineSeesNothingOfIt() {
        String id = manualClockServer.restart("frontend-0");
        String document = curl(GET, "127.0.0.3").out();
        assertTrue(document.endsWith("\"Events\":[]}"), document);
        String line = POST.replace("f020ba2e-3bc0-4c40-a10b-86575a9eabd5", id) + " -s -o /dev/null -w %{http_code}";
        assertEquals("400", curl(line, "127.0.0.3").out());
        assertEquals("403", curl(line, "127.0.0.77").out());
    }

    @Test
    void thePythonSampleReadsTheDocument() throws IOException {
        InstalledTools.need("python3");
        Path sample = folder.resolve("sample.py");
        Files.writeString(sample, here(ManualClockServer.resource("sample.py")));
        manualClockServer.restart("frontend-0");
        assertEquals("", TerminalPrograms.sh("python3 " + sample).ok().out());
    }

    /** A machine called as this one is: the sample gets as far as the page lets it, to the variable it misspells. */
    @Test
    void thePythonSampleFindsItself() throws IOException {
        InstalledTools.need("python3");
        Path sample = folder.resolve("sample.py");
        String text = here(ManualClockServer.resource("sample.py")).replace("socket.gethostname()", "\"frontend-0\"");
        Files.writeString(sample, text);
        manualClockServer.restart("frontend-0");
        Outcome asPrinted = TerminalPrograms.sh("python3 " + sample);
        assertTrue(asPrinted.err().contains("NameError: name 'eventype'"), asPrinted.err());
        Files.writeString(sample, text.replace("+ eventype +", "+ eventtype +"));
        assertTrue(TerminalPrograms.sh("python3 " + sample)
                .ok()
                .out()
                .startsWith("+ Scheduled Event. This host is scheduled for Reboot not before 2"));
    }

    @Test
    void theSharpSampleAsksAndApprovesWithoutTheHeader() throws IOException {
        InstalledTools.need("mcs", "mono");
        String id = manualClockServer.restart("frontend-0");
        Path source = Files.writeString(folder.resolve("Sample.cs"), here(ManualClockServer.resource("Sample.cs")));
        TerminalPrograms.sh("mcs -nologo -r:System.dll -out:" + folder + "/sample.exe " + source)
                .ok();
        String out = TerminalPrograms.sh("mono " + folder + "/sample.exe").ok().out();
        assertTrue(out.contains("\"EventId\":\"" + id + "\",\"EventStatus\":\"Scheduled\""), out);
        assertTrue(out.contains("\"EventId\":\"" + id + "\",\"EventStatus\":\"Started\""), out);
    }

    /** What Windows PowerShell 5.1 sends for the page's Invoke-RestMethod lines, byte for byte. */
    @Test
    void requestsFromPowerShellAreAccepted() throws IOException {
        String id = manualClockServer.restart("frontend-0");
        String agent =
                "User-Agent: Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.14393.1944\r\n";
        String path = "/metadata/scheduledevents?api-version=2017-03-01 HTTP/1.1\r\nMetadata: true\r\n" + agent;
        try (RawSocket rawSocket = new RawSocket(manualClockServer.metadata(), InetAddress.getByName("127.0.0.1"))) {
            rawSocket.send("GET " + path + "Host: 169.254.169.254\r\nConnection: Keep-Alive\r\n\r\n");
            assertTrue(rawSocket.answer().contains(id));
            String body =
                    "{\r\n    \"StartRequests\":  [\r\n                          {\r\n                              "
                            + "\"EventId\":  \"" + id
                            + "\"\r\n                          }\r\n                      ],\r\n"
                            + "    \"DocumentIncarnation\":  2\r\n}";
            rawSocket.send(
                    "POST " + path + "Content-Type: application/x-www-form-urlencoded\r\nHost: 169.254.169.254\r\n"
                            + "Content-Length: " + body.length() + "\r\nExpect: 100-continue\r\n\r\n");
            assertTrue(rawSocket.answer().startsWith("HTTP/1.1 100 "));
            rawSocket.send(body);
            assertTrue(rawSocket.answer().startsWith("HTTP/1.1 200 "));
        }
        assertTrue(curl(GET, "127.0.0.1").out().contains("Started"));
    }

    private static Outcome curl(String line, String from) {
        return TerminalPrograms.sh(here(line).replaceFirst("curl ", "curl -s --interface " + from + " "))
                .ok();
    }

    private static String here(String text) {
        return text.replace("169.254.169.254", manualClockServer.metadata());
    }
}
